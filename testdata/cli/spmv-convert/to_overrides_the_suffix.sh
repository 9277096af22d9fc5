#!/bin/bash
# --to wins over the suffix.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --to jds && spmv-convert A.csr B.jds && cmp A.csr B.jds
