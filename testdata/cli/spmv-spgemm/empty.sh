#!/bin/bash
# Matrices without rows, columns or entries multiply, too.
head='%%MatrixMarket matrix coordinate real general'
printf '%s\n0 3 0\n' "$head" >rows.mtx
printf '%s\n3 0 0\n' "$head" >cols.mtx
printf '%s\n3 3 0\n' "$head" >none.mtx
for pair in 'rows.mtx none.mtx' 'rows.mtx cols.mtx' 'cols.mtx rows.mtx' none.mtx; do
    # shellcheck disable=SC2086 # one or two files
    spmv-spgemm $pair | tail -1
done
spmv-spgemm cols.mtx rows.mtx --estimate | head -3
