#!/bin/bash
# A GPU kernel that was named runs on a GPU or not at all: nothing takes its place.
spmv-run --list-devices | grep -qE "^[0-9]" && exit 77
spmv-run "$TESTDATA/good/worked.mtx" -k csr-merge -o y.mtx
echo $?
spmv-run "$TESTDATA/good/worked.mtx" -k jds -q -o z.mtx
echo $?
ls
