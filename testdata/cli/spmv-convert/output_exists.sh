#!/bin/bash
# An existing output is not overwritten without --force.
echo precious >A.csr
spmv-convert "$TESTDATA/good/worked.mtx" A.csr; echo $?
cat A.csr
spmv-convert --force "$TESTDATA/good/worked.mtx" A.csr && spmv-convert --check A.csr
