#!/bin/bash
# What a kernel moves for several vectors: cpu-csr its matrix once, cpu-ell for each of them.  A grid of 20 x 20
# has 1,920 entries of 4 bytes, which are all integers, and 2,000 places of 5 a row; a vector has 400 numbers.
spmv-bench --generate stencil5:20 -k cpu-csr,cpu-ell --vectors 1,4 --precision f64 --min-time 0 --min-samples 1 --warm-only \
    --format jsonl | sed -n 's/.*"kernel":"\([a-z-]*\)".*"vectors":\([0-9]*\),.*"moved_bytes":\([0-9]*\),.*/\1 \2 \3/p'
