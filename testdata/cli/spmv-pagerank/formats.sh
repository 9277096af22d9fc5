#!/bin/bash
# Any format and precision of the file, a stored triangle, any number of threads: the same bits.
graph=$TESTDATA/graphs/karate.mtx
spmv-pagerank "$graph" -o expected.txt
for format in coo csr csc ell hyb jds sell csell; do
    spmv-convert "$graph" A.$format && spmv-pagerank A.$format --threads 3 | cmp - expected.txt
done
spmv-convert "$graph" --symmetric keep half.csr && spmv-pagerank half.csr | cmp - expected.txt
