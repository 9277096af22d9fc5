#!/bin/bash
# A first line that says how many nodes and edges follow is an edge all the same, and a remark tells of it.
ring() { seq "$1" | awk -v n="$1" '{ print $1 - z, $1 % n + 1 - z }' z="$2"; }
(echo 12 12 && ring 12 1) >ring.txt
spmv-convert ring.txt ring.csr && spmv-convert - --to el <ring.txt | head -n 1
(printf '# a ring\n%s\n' '30 12' && ring 12 0) | spmv-convert - - --to el | tail -n 1
spmv-convert --from el ring.txt --to el - | tail -n 1
spmv-convert --strict ring.txt strict.csr; echo $?
# Few edges, another number of them, weights, names.
(echo 5 5 && ring 5 1) | spmv-convert - few.csr
(echo 12 13 && ring 12 1) | spmv-convert - less.csr
(echo a b && ring 12 1) | spmv-convert - named.csr
ls -- *.csr
