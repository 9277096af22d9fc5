#!/bin/bash
# What --info and a record say about the nodes of an edge list.
printf '1 2\n2 2\n3 1\n1 2\n' >A.el
spmv-convert -q --info A.el | head -n 4
spmv-convert -q --all-ids --info A.el | head -n 3
spmv-convert -q A.el A.csr --json - | grep -E '"(loops|smallest_id|duplicates)"'
