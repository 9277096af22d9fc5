#!/bin/bash
# No rows, no columns, no nonzeros: nothing is computed, all is well.
for shape in '0 0 0' '0 3 0' '2 0 0' '2 2 0'; do
    { echo '%%MatrixMarket matrix coordinate real general'; echo "$shape"; } | spmv-run - -q --verify
done
# A text without lines is a vector without numbers, where it is called a text.
printf '%%%%MatrixMarket matrix coordinate real general\n0 3 0\n' >A.mtx
spmv-run A.mtx -o y.txt && spmv-run A.mtx -y y.txt --beta 1 -o z.txt && wc -c <z.txt
spmv-run A.mtx -x y.txt; echo $?
: >y.vec && spmv-run A.mtx -y y.vec --beta 1; echo $?
