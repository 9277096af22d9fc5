#!/bin/bash
# -v tells phases with times and bytes.
cp "$TESTDATA/good/worked.mtx" A.mtx; spmv-convert -v A.mtx A.csr
