#!/bin/bash
# What makes no sense is refused with what would make sense.
cp "$TESTDATA/good/worked.mtx" A.mtx
for words in -q 'A.mtx A.mtx A.mtx' '- -' 'A.mtx --mask - -' 'A.mtx --top 0' 'A.mtx --index-base 2' \
    'A.mtx --estimate -o C.mtx' 'A.mtx --to cvs' 'none.mtx -o C.metis' 'A.mtx -o A.mtx --force' 'A.mtx A.mtx' \
    'A.mtx --transpose-b --mask A.mtx' 'A.mtx --transpose-c' 'none.mtx' \
    'A.mtx --kernel spgemm-cpu --device gpu' 'A.mtx -k spgemm-gpu --serial' 'A.mtx -k spgemm-serial --device 0' \
    'A.mtx -k fast' 'A.mtx --serial --device gpu' 'A.mtx --transpose-a --device 7'; do
    # shellcheck disable=SC2086 # several words
    spmv-spgemm $words
    echo $?
done
