#!/bin/bash
# Not even a temporary file is left.
printf '%%%%MatrixMarket matrix coordinate pattern general\n8000000 1 1\n1 1\n' >A.mtx
for attempt in 1 2 3 4 5; do
    spmv-convert A.mtx "A$attempt.csr" 2>/dev/null &
    while kill -0 $! && [ ! -e "A$attempt.csr" ] && ! compgen -G '.*.tmp' >/dev/null; do :; done
    kill -TERM $! 2>/dev/null
    wait $!
    status=$?
    [ "$status" = 143 ] && break
done 2>/dev/null
echo "$status"
compgen -G '.*.tmp'
test ! -e "A$attempt.csr"
