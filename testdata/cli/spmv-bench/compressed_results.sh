#!/bin/bash
# Results that were written compressed are read again, but not continued.
spmv-gen stencil5 --grid 6 -o a.csr
for suffix in jsonl.gz json.gz; do
    spmv-bench a.csr --min-time 0 --min-samples 1 --warm-only -k cpu-csr -o r.$suffix || exit
    spmv-bench --results r.$suffix --format csv | cut -d , -f 1,6
    spmv-bench --compare r.$suffix r.$suffix | tail -n 1
done
cp r.jsonl.gz old
spmv-bench a.csr -k cpu-csr -o r.jsonl.gz --resume; echo $?
cmp r.jsonl.gz old
