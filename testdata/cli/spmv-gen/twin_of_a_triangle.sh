#!/bin/bash
# A binary file may hold one triangle; the twin is that of the whole matrix.
spmv-convert --symmetric keep "$TESTDATA/graphs/karate.mtx" half.csr
spmv-gen --like half.csr -o a.mtx && spmv-gen --like "$TESTDATA/graphs/karate.mtx" -o b.mtx
cmp a.mtx b.mtx && head -2 a.mtx
