#!/bin/bash
# A graph without edges, or with a loop at 0 alone, is read as it was written, from a pipe, too.
for n in 0 3; do
    printf '%%%%MatrixMarket matrix coordinate real general\n%d %d 0\n' $n $n >$n.mtx
    spmv-convert $n.mtx $n.el && cat $n.el
    spmv-convert $n.el --to mtx | tail -1
    spmv-convert - --to mtx <$n.el | tail -1
done
echo 0 0 | spmv-convert - --to el
echo 0 0 2.5 | spmv-convert - --to el
