#!/bin/bash
# A weight that cannot be one is an error with its place.
for weight in -1 nan inf 1.7e308; do
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n2 1 1.7e308\n2 3 %s\n' $weight >A.mtx
    spmv-pagerank A.mtx; echo $?
    spmv-pagerank A.mtx --unweighted --top 1 | wc -l
done
