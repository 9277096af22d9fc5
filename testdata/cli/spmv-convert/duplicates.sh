#!/bin/bash
# A coordinate given twice is summed, unless told otherwise.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 3\n1 1 4\n' >A.mtx
for what in sum first last; do
    spmv-convert -q --duplicates $what A.mtx - --to mtx | tail -1
done
spmv-convert --duplicates error A.mtx -
