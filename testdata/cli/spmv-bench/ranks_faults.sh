#!/bin/bash
# A process that is killed while it measures ends all others, be it the first one or not, within 5 seconds.
has_ranks || exit 77
spmv-gen rmat --scale 8 -o A.csr
for killed in 0 1; do kill_rank $killed spmv-bench A.csr --min-time 100 -o out.json; done
ls
