#!/bin/bash
# What makes no sense is refused with what would make sense.
for words in '-q' '-k cpu-crs a.mtx' '-k cpu-csr,,cpu-ell a.mtx' '--peer cusparze a.mtx' '--format xml a.mtx' '--min-samples 0 a.mtx' \
    '--resume a.mtx' '--resume --format jsonl a.mtx' '--compare a.jsonl' '--results r.jsonl a.mtx' '- -' \
    '-o a --json a a.mtx' '--generate stencil9 --min-time 0' '--generate stencil5:0' \
    '--max-noise 200 a.mtx' '-k csr-merge --device cpu --threads 1 a.mtx' '--device gpus a.mtx' '--results nowhere.jsonl'; do
    # shellcheck disable=SC2086 # several words
    spmv-bench $words
    echo $?
done
# A document whose results are no list is none.
for results in 5 null '{}'; do
    echo "{\"results\": $results}" | spmv-bench --results -
    echo $?
done
