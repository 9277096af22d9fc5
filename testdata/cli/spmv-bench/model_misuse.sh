#!/bin/bash
# What is no machine, and what has no part in predictions.
try() { spmv-bench --generate dense:4 "$@" 2>&1 | head -1; }
for machine in 3 3,5us 3,5us,1GB,1GB,1GB '' 0,5us,1GB 2000000,5us,1GB 1.5,5us,1GB ,5us,1GB 3,5xs,1GB 3,-5us,1GB \
    3,5us,0GB 3,5us,fast '3, 5us,1GB' 3,nan,1GB 3,5us,inf 3,5us,1GB,1us 3,5us,1e308TB; do
    try --model "$machine"
done
try --partition rows
try --partition mesh --model 3,5us,1GB
try --partition row --model 3,5us,1GB
for other in '--plot x' '--results x' '--summary' '--op spgemm' '--peer all' '--vectors 2' '--precision f32,f64' \
    '-k cpu-csr' '--threads 1,2' '--min-time 1' '--min-samples 2' '--max-noise 1' '--warmup 1' '--timeout 1' '--warm-only' '--no-verify' \
    '--dry-run' '--compare' '--list-peers' '--resume -o x.jsonl'; do
    # shellcheck disable=SC2086 # options and their words
    try --model 3,5us,1GB $other
done
ls
