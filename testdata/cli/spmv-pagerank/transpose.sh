#!/bin/bash
# --transpose turns the edges around.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 2\n' >A.mtx
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 1\n2 3\n' >T.mtx
cmp <(spmv-pagerank A.mtx --transpose) <(spmv-pagerank T.mtx) && spmv-pagerank A.mtx --top 1 | tail -1 | awk '{ print $2 }'
