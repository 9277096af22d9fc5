#!/bin/bash
# A row of a third of all nonzeros is multiplied by several processes: no part is much larger than the mean,
# as --model says, too, and y has the bits of one process.
has_ranks || exit 77
awk 'BEGIN {
    print "%%MatrixMarket matrix coordinate real general\n50000 50000 149999"
    for (i = 1; i <= 50000; i++) print i, i, 3 / i "\n" i, i * 7919 % 50000 + 1, 1 - i
    for (j = 1; j < 20000; j++) print 20000, j, 1 / j
    for (j = 20001; j <= 50000; j++) print 20000, j, 1 / j
}' >A.mtx
spmv-convert A.mtx -o A.csr 2>noise && seq 50000 >y.txt
spmv-run A.csr -x random --alpha 3 --beta 2 -y y.txt -k cpu-csr -o one.mtx
for p in 2 7; do
    on_ranks $p spmv-run A.csr -x random --alpha 3 --beta 2 -y y.txt --repeat 2 --force -o many.mtx 2>noise
    cmp one.mtx many.mtx && echo "$p: the same"
    grep -o 'the largest part is [0-9.]* times' noise
done
