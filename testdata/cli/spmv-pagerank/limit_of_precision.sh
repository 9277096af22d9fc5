#!/bin/bash
# Where rounding keeps the scores moving, more iterations are no advice.
spmv-gen -q uniform:rows=3000,per-row=5 --values ones -o A.csr
spmv-pagerank A.csr -t 1e-300 -n 600 -o a.txt 2>&1 | sed 's/change by [^,]*/change by R/'
# In single precision double would help, but not before that.
spmv-gen -q rmat:scale=14 --values ones -o C.csr
spmv-pagerank C.csr --precision f32 -t 1e-300 -n 80 -o c.txt 2>&1 | sed 's/change by [^,]*/change by R/'
spmv-pagerank A.csr --precision f32 -t 1e-6 -n 5 -o d.txt 2>&1 | sed 's/change by [^,]*/change by R/'
spmv-pagerank A.csr -t 1e-13 -n 10 -o b.txt 2>&1 | sed 's/change by [^,]*/change by R/'
# A star has edges both ways: each change is that of before, less the damping.
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '5 5 8' '1 2' '1 3' '1 4' '1 5' '2 1' '3 1' '4 1' '5 1' >star.mtx
spmv-pagerank star.mtx -t 1e-14 -n 150 -o e.txt 2>&1 | sed 's/change by [^,]*/change by R/'
spmv-pagerank star.mtx -t 1e-14 -n 250 -o e.txt
# What is rounded in the sum of a node with many edges is more.
awk 'BEGIN { for (i = 1; i <= 1000; i++) print i " 0\n0 " i }' >hub.el
spmv-pagerank hub.el -d 0.99 -t 1e-17 -n 4000 -o f.txt 2>&1 | sed 's/change by [^,]*/change by R/'
