#!/bin/bash
# What is kept is the same in the plainest way: of a pattern the first entries, and nothing that rounds to 0.
printf '%%%%MatrixMarket matrix coordinate pattern general\n1 2 2\n1 1\n1 2\n' >a.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n2 1\n2 2\n' >b.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 1e-30\n1 2 1e-20\n' >small.mtx
for how in --serial --threads=1 --threads=2; do
    spmv-spgemm a.mtx b.mtx --boolean --top 1 $how | tail -1
    spmv-spgemm small.mtx --transpose-a --precision f32 --drop-zeros $how | tail -n +2
done
spmv-spgemm small.mtx --transpose-a --drop-zeros | sed -n 2p
