#!/bin/bash
# A GPU kernel gives way to the CPU kernel of its format, with a warning.
spmv-run --list-devices | grep -qE "^[0-9]" && exit 77
spmv-run "$TESTDATA/good/worked.mtx" -k csr-merge -o y.mtx
spmv-run "$TESTDATA/good/worked.mtx" -k jds -q -o z.mtx && cmp y.mtx z.mtx
