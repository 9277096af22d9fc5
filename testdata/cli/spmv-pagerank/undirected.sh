#!/bin/bash
# Both ways: the weights of the two ways are added, without weights there is an edge where either way
# has one, and a weight that cannot be is not hidden by the other way.
banner='%%MatrixMarket matrix coordinate real general'
printf '%s\n3 3 3\n1 2 1\n2 1 -1\n2 3 5\n' "$banner" >A.mtx
spmv-convert A.mtx A.el
for file in A.mtx A.el; do
    spmv-pagerank $file --undirected --unweighted -t 1e-14 -n 1000 | awk '{ printf "%s %.4f\n", $1, $2 }'
    spmv-pagerank $file --undirected; echo $?
done
printf '%s\n3 3 4\n1 2 1\n2 1 3\n2 3 4\n3 3 0\n' "$banner" >B.mtx
spmv-pagerank B.mtx --undirected -t 1e-14 -n 1000 | awk '{ printf "%s %.4f\n", $1, $2 }'
# An edge that is given both ways is there twice where edges are counted, whether or not another one is
# repeated: as igraph has it, 1 goes to 2, and 2 to 1 with 2/3.
printf '1 2\n2 1\n2 3\n' >multi.el
spmv-pagerank multi.el --as igraph --undirected -t 1e-14 -n 1000 >counted.txt
printf '1 2 2\n2 3 1\n' >weighted.wel
spmv-pagerank weighted.wel --as igraph --undirected -t 1e-14 -n 1000 | cmp - counted.txt && cut -c 1-8 counted.txt
spmv-pagerank multi.el --undirected -t 1e-14 -n 1000 | cut -c 1-8
spmv-convert multi.el -q --count-repeated --undirected - --to el
if has_ranks; then on_ranks 2 spmv-pagerank multi.el --as igraph --undirected -t 1e-14 -n 1000 -o - 2>noise; else cat counted.txt; fi |
    cmp - counted.txt
