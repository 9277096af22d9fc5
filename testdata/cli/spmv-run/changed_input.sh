#!/bin/bash
# Another program writes values into a binary matrix in use: the answer would be neither the old one
# nor the new one, and is not written.
spmv-gen uniform --rows 20000 --per-row 10 -o A.csr
spmv-run A.csr -k cpu-csr --repeat 1000 --precision f64 -o y.mtx --progress=plain 2>stderr &
until grep -qs multiply stderr || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
head -c 4096 /dev/zero | dd of=A.csr bs=4096 seek=400 conv=notrunc status=none
wait $!
echo $?
grep -v '\.\.\.' stderr
ls -A
