#!/bin/bash
# Lists go to standard output or into a record, and know no options but how that is told.
spmv-run --list-kernels -o F; echo $?
spmv-run --list-devices -o F; echo $?
for words in A.mtx '--alpha 2' '--seed 3' '--device cpu' --list-devices '-q -v --force --color never --progress never'; do
    # shellcheck disable=SC2086 # several words
    spmv-run --list-kernels $words >/dev/null; echo $?
done
ls
