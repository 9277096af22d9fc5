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
# Of several matrices, too.
spmv-bench -q --generate stencil5:10 --generate stencil5:11 --generate stencil5:12 --min-time 0 --min-samples 1 \
    --warm-only -k cpu-csr -o several.jsonl.gz
zcat several.jsonl.gz | wc -l
spmv-bench --results several.jsonl.gz --format csv | cut -d , -f 1
