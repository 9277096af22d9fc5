#!/bin/bash
# Each edge both ways, a loop once, from any format; what is the same both ways already stays.
printf '0 1 5\n2 2 7\n' | spmv-convert --undirected - - --to el
printf '%% sym\n1 2 5\n3 3 7\n' | spmv-convert - - --to el
printf '0 1 5\n2 2 7\n' | spmv-convert - - --to csr | spmv-convert --undirected - - --to el
printf '0 1 5\n1 0 5\n2 2 7\n' | spmv-convert --undirected - - --to el
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 1\n' | spmv-convert --undirected - - --to mtx
echo $?
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 3\n' |
    spmv-convert --undirected --symmetric keep - - --to mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 1 nan\n3 2 4\n' |
    spmv-convert --undirected - - --to mtx | tail -n 2
