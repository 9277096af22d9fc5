#!/bin/bash
# A file that cannot be read is known by its name also where that is no UTF-8.
for _ in 1 2; do
    spmv-bench nope$'\xff' -k cpu-csr --format jsonl -o r.jsonl --resume
    echo $?
done
wc -l <r.jsonl
