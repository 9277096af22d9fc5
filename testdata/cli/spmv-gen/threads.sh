#!/bin/bash
# The number of threads changes nothing.
for threads in 1 2 5; do
    spmv-gen powerlaw:rows=3000,per-row=6 --threads $threads -o $threads.csr
done
cmp 1.csr 2.csr && cmp 1.csr 5.csr && echo the same
