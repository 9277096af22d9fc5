#!/bin/bash
# Where rounding keeps the scores moving, more iterations are no advice.
spmv-gen -q uniform:rows=3000,per-row=5 --values ones -o A.csr
spmv-pagerank A.csr -t 1e-300 -n 600 -o a.txt 2>&1 | sed 's/change by [^,]*/change by R/'
spmv-pagerank A.csr -t 1e-13 -n 10 -o b.txt 2>&1 | sed 's/change by [^,]*/change by R/'
