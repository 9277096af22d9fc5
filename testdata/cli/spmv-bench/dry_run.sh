#!/bin/bash
# What would be measured, and how long: nothing is read or written.
mkdir -p d/HB && cp "$TESTDATA/good/worked.mtx" d/HB/a.mtx && echo nonsense >d/b.mtx
plan() { spmv-bench d --generate stencil5:4 --device cpu -k cpu-csr,cpu-ell,auto --dry-run "$@"; echo $?; }
# 3 matrices and 3 kernels, of 2 x 0.2 s each and 10 x 0.03 s to empty caches, or 5 times as much; an
# instant for reading.
plan
# Many samples with cold caches take minutes, and no time where there are none.
plan --min-samples 1000 | sed -n 's/.* in [0-9.]* \(.*\) to .*/\1/p'
plan --min-samples 1000 --warm-only | tail -n 1
# Only warm, for 1 s each: 9 s at least; but a matrix is left after 10 s.
plan --min-time 1 --warm-only --timeout 10
plan --threads 1,2 --precision f32,f64 --match a --min-time 100 --warm-only --timeout 100000
# Sizes are not known yet.  A file that is not there is told.
plan --max-nnz 1 | tail -n 2
plan nowhere.mtx nor_here.mtx | tail -n 2
plan --summary
plan --format json
plan -o r.jsonl
plan --json -
plan --plot p
ls
