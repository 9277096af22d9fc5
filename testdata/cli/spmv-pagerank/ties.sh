#!/bin/bash
# Nodes of equal score come by number.
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 1\n' | spmv-pagerank - --top 9 -d .5 -t 1e-15
