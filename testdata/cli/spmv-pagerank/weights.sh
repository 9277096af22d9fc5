#!/bin/bash
# Weights are shares; twice the same edge adds up; an entry of 0 is no edge.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 6\n1 2 1\n1 2 2\n1 3 1\n2 1 5\n3 1 7\n2 3 0\n' >A.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 30\n1 3 10\n2 1 1\n3 1 1\n' >B.mtx
spmv-pagerank A.mtx -t 1e-14 -n 1000 -o a.txt -q && spmv-pagerank B.mtx -t 1e-14 -n 1000 -o b.txt
paste a.txt b.txt | awk '{ d = $2 - $4; if (d * d > 1e-28) print }'
spmv-pagerank A.mtx -t 1e-14 -n 1000 -q | awk '{ printf "%s %.6f\n", $1, $2 }'
spmv-pagerank A.mtx -t 1e-14 -n 1000 -q --unweighted | awk '{ printf "%s %.6f\n", $1, $2 }'
