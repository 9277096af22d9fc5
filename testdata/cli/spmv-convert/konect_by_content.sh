#!/bin/bash
# A first line of KONECT decides, also where the rest could be a METIS graph, whatever the file is called.
printf '%% asym\n%% 4 3 3\n3 3\n2 3\n1 3\n1 2\n' >out.toy
printf '%% bip unweighted\n3 3\n2 3\n1 3\n1 2\n' >out.bipartite
printf '%% asym\n1 2 1 1000\n1 2 1 2000\n' >out.times
for file in out.*; do spmv-convert -q "$file" --to el; done
spmv-convert -q --from el out.toy --to el
tail -n +3 out.toy | sed 1i%asymmetric >graph
spmv-convert --info graph | grep -o 'metis'
# Sizes go with their columns.
printf '%% bip positive\n%% 2 4 9\n1 2 3 99\n2 3 1 98\n' >out.sizes
spmv-convert out.sizes --to mtx && spmv-convert out.sizes --columns 2,1,3 --to mtx
printf '%% bip positive\n%% 1 1 3\n1 3 1\n' | spmv-convert - --columns 2,1,3 --to mtx
