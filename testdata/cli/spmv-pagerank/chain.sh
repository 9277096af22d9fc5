#!/bin/bash
# 1 -> 2 -> 3, where the walk jumps: with d = 1/2 the scores are 4/17, 6/17 and 7/17.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n' >A.mtx
spmv-pagerank A.mtx -d 0.5 -t 1e-15 | awk '{ printf "%s %.12f\n", $1, $2 * 17 }'
