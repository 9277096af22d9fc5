#!/bin/bash
# A mistyped format gets the one that was meant.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --to csrr; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --from mtxx; echo $?
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --duplicates add; echo $?
