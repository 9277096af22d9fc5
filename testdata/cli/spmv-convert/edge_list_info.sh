#!/bin/bash
# What --info and a record say about the nodes of an edge list.
printf '1 2\n2 2\n3 1\n1 2\n' >A.el
spmv-convert -q --info A.el | head -n 4
spmv-convert -q --all-ids --info A.el | head -n 3
spmv-convert -q A.el A.csr --json - | grep -E '"(loops|smallest_id|duplicates)"'
# The headings that were found.
printf 'who,whom\n1,2\n' >headed.csv
spmv-convert -q --info headed.csv | head -n 5
spmv-convert -q headed.csv A.csr --force --json - | grep headings
spmv-convert -q --header no --info headed.csv | head -n 5
# The smallest id may be a target, also of a line that is not as plain as most.
printf '5 3 # x\n4 2\n' >B.el
spmv-convert -q --info B.el | grep Nodes
