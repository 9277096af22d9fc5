#!/bin/bash
# Good files pass in silence; bad ones get a line each, and the worst status counts.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n2 2 1\n' >bad.mtx
: >empty.mtx
spmv-convert --check "$TESTDATA/good/worked.mtx" "$TESTDATA"/good/worked.csr; echo $?
spmv-convert --check "$TESTDATA/good/worked.mtx" bad.mtx empty.mtx "$TESTDATA"/good/worked.csr; echo $?
spmv-convert --check bad.mtx nowhere.mtx; echo $?
