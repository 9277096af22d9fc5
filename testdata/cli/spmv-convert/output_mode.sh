#!/bin/bash
# A file that is replaced keeps its mode, also one that nobody may read; a new one gets that of any file.
umask 027
spmv-convert "$TESTDATA/good/worked.mtx" new.csr
for mode in 000 200 600 664; do
    spmv-convert "$TESTDATA/good/worked.mtx" $mode.csr && chmod $mode $mode.csr
    spmv-convert "$TESTDATA/good/worked.mtx" $mode.csr --force
done
stat -c '%n %a' ./*.csr
