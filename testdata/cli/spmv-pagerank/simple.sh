#!/bin/bash
# Loops and repeated edges are left out, edges taken both ways, in any format.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 4\n2 2 9\n2 3 4\n1 2 4\n' >A.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 4\n2 1 4\n2 3 4\n3 2 4\n' >B.mtx
printf '0 1 4\n1 1 9\n1 2 4\n0 1 4\n' >A.wel
spmv-pagerank -q B.mtx -t 1e-14 -n 1000 | cut -d ' ' -f 2 >expected
spmv-pagerank -q A.mtx --simple --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
spmv-pagerank -q A.wel --simple --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
spmv-pagerank -q B.mtx --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
# Weights are not added, other than without it; --duplicates first of a conversion does the same before.
printf '0 1 7\n0 2 3\n0 1 2\n1 0 1\n2 0 1\n' >C.wel
spmv-convert -q C.wel --duplicates first first.csr && spmv-convert -q C.wel added.csr
for options in '--simple C.wel' '--simple first.csr' '--simple added.csr' C.wel; do
    # shellcheck disable=SC2086 # several words
    spmv-pagerank -q $options -t 1e-14 -n 1000 | awk '{ printf "%.4f ", $2 } END { print "" }'
done
awk '{ printf "%.6f\n", $1 }' expected
