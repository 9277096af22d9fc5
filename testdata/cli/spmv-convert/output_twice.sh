#!/bin/bash
# One output only.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr -o B.csr
