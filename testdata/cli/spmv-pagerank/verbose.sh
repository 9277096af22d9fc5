#!/bin/bash
# -v tells times and sizes in the units that fit.
printf '0 1\n1 2\n2 0\n' >ring.el
spmv-pagerank ring.el -v --device cpu -o ranks.txt
