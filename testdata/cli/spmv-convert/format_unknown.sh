#!/bin/bash
# A mistyped format gets the one that was meant.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --to csrr; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --from mtxx; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --from csr; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --duplicates add; echo $?
# In capitals, under a name that is none, and by a suffix that is no format's: nothing is written.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --to MTX; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --to matrixmarket; echo $?
for name in A.mxt A.json A.parquet A.mtx.gzip; do spmv-convert "$TESTDATA/good/worked.mtx" $name 2>&1 | head -n 1; done
ls
