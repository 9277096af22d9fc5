#!/bin/bash
# A GPU that was asked for and is not there is an error.
spmv-run --list-devices | grep -qE "^[0-9]" && exit 77
spmv-run "$TESTDATA/good/worked.mtx" --device gpu; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --device 0; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --device gpu -k csr-merge; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --device all; echo $?
