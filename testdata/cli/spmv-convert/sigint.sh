#!/bin/bash
# Ctrl-C at any moment: the tool ends as the signal says, and the output is whole or was never there.
spmv-gen stencil5 --grid 300 -o A.mtx && spmv-convert A.mtx whole.csr
interrupted=0
for delay in 0.005 0.01 0.02 0.04 0.06 0.08 0.12 0.16 0.24 0.32 0.64; do
    env --default-signal=INT spmv-convert A.mtx B.csr 2>stderr &
    sleep $delay
    kill -INT $! 2>/dev/null
    wait $! 2>/dev/null
    status=$?
    [ $status = 130 ] && interrupted=$((interrupted + 1))
    [ $status = 130 ] || [ $status = 0 ] || echo "status $status"
    [ -s stderr ] && cat stderr
    [ ! -e B.csr ] || cmp B.csr whole.csr
    [ $status = 130 ] || [ -e B.csr ] || echo 'done, but there is no output'
    compgen -G '.*.tmp'
    rm -f B.csr
done 2>/dev/null
[ $interrupted -gt 0 ]
