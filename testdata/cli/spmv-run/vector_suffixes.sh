#!/bin/bash
# A suffix of files that hold no vectors is refused before anything is read; the others are written.
spmv-run nowhere.mtx -o y.csr; echo $?
for suffix in $(spmv-convert --list-formats | grep -oE '\.[a-z0-9]+') .dat; do
    spmv-run "$TESTDATA/good/worked.mtx" -o "y$suffix" 2>/dev/null
    status=$?
    [ $status = 0 ] || [ $status = 2 ] || echo "$suffix $status"
done
ls
