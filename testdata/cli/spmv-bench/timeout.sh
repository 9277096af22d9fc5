#!/bin/bash
# A kernel that --timeout leaves out is recorded with the reason; as that was asked for, it is no failure.
bench() { spmv-bench --generate stencil5:4 -k cpu-csr --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only "$@"; }
bench --timeout 0 -o late.jsonl
echo "status $?"
spmv-bench --results late.jsonl --format csv | grep -c 'not measured: the 0 s of --timeout were over'
bench -o all.jsonl

# Nobody knows the rate of a device on which nothing was measured.
spmv-bench --results late.jsonl | grep -c 'reads'
spmv-bench --results all.jsonl | grep -c 'reads .*B/s, measured'

# Left out in both files is n/a; in the new one alone it is a failure.
spmv-bench --compare late.jsonl late.jsonl --format csv | cut -d, -f 1
echo "status ${PIPESTATUS[0]}"
spmv-bench --compare all.jsonl late.jsonl --format csv | cut -d, -f 1
echo "status ${PIPESTATUS[0]}"
