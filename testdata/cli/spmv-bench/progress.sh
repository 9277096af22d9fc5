#!/bin/bash
# A log says which matrix of how many is at hand, and how long the rest takes, as far as that is known.
spmv-bench --generate stencil5:3 --generate stencil5:4 --device cpu --threads 1 -k cpu-csr,cpu-ell --min-time 0 --min-samples 1 \
    --warm-only --format csv --progress=plain 2>&1 >/dev/null | grep measure | sed -E 's/, [0-9]+ s left/, ... left/'
spmv-bench --generate stencil5:3 --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv \
    --progress=plain 2>&1 >/dev/null | grep -c ' of '
