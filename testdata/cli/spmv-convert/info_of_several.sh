#!/bin/bash
# --info takes several files and standard input.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr
cp A.csr B.csr
spmv-convert --info - A.csr <B.csr | grep -v '^ '
spmv-convert --info A.csr nowhere.mtx >/dev/null
