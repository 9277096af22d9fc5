#!/bin/bash
# Loops and repeated edges are left out, edges taken both ways, in any format.
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 4\n2 2 9\n2 3 4\n1 2 4\n' >A.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 4\n2 1 4\n2 3 4\n3 2 4\n' >B.mtx
printf '0 1 4\n1 1 9\n1 2 4\n0 1 4\n' >A.wel
spmv-pagerank -q B.mtx -t 1e-14 -n 1000 | cut -d ' ' -f 2 >expected
spmv-pagerank -q A.mtx --simple --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
spmv-pagerank -q A.wel --simple --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
spmv-pagerank -q B.mtx --undirected -t 1e-14 -n 1000 | cut -d ' ' -f 2 | cmp - expected
awk '{ printf "%.6f\n", $1 }' expected
