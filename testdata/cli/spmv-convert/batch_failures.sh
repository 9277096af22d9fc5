#!/bin/bash
# Of many files each failure and each warning says which one it is of, whatever step it comes from.
mkdir in && printf '0 5\n5 9\n' >in/graph.el
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 -2\n' >in/complex.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 4\n' >in/wide.mtx
spmv-convert in --output-dir el --to el; echo $?
spmv-convert in --output-dir csr --values f32; echo $?
spmv-convert in --output-dir both --undirected; echo $?
spmv-convert in --output-dir mtx --to mtx --exclude complex; echo $?
spmv-convert --check in --undirected; echo $?
spmv-convert -q --info in --undirected --format line --match wide; echo $?
