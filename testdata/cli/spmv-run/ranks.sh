#!/bin/bash
# Several processes make the bits that one makes, whatever their number, from text and binary files.
has_ranks || exit 77
spmv-gen rmat --scale 12 -o graph.mtx && spmv-convert graph.mtx graph.csr
spmv-gen skew --rows 5000 -o skew.csr
spmv-gen stencil27 --grid 17 -o grid.csr
for file in graph.mtx graph.csr skew.csr grid.csr; do
    spmv-run "$file" -x random -k cpu-csr -o one.mtx
    for p in 1 2 3 4 7; do
        on_ranks "$p" spmv-run "$file" -x random -o many.mtx && cmp one.mtx many.mtx && echo "$file, $p: the same"
        rm -f many.mtx
    done
    rm one.mtx
done
