#!/bin/bash
# Nodes go by the names that their file gives them, and from 1 where it gives none.
printf '10 20\n30 20\n20 10\n' >A.txt
spmv-pagerank -q A.txt --top 2
spmv-pagerank A.txt -o scores.txt && cut -d ' ' -f 1 scores.txt
spmv-pagerank A.txt --top 2 --json run.json >/dev/null && grep '"node"' run.json
printf '0 1\n2 1\n1 0\n' >B.el
spmv-pagerank B.el --top 2
spmv-pagerank --undirected B.el --top 1
printf '1 2\n3 2\n2 1\n' | spmv-pagerank - --top 2
spmv-pagerank "$TESTDATA/graphs/house_metis.graph" --unweighted --top 1
printf '0 4611686018427387900\n' >C.el
spmv-pagerank --all-ids C.el; echo $?
spmv-pagerank C.el; echo $?
