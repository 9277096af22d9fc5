#!/bin/bash
# No nodes, one node, no edges.
for n in 0 1 4; do
    printf '%%%%MatrixMarket matrix coordinate pattern general\n%s %s 0\n' $n $n | spmv-pagerank -
done
