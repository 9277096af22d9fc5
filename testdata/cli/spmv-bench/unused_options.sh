#!/bin/bash
# What would not be written, measured or continued is refused, rather than left out.
for words in '--compare a b --plot F' '--compare a b --resume' \
    '--compare a b --results r' '--compare a b --generate dense:2' '--compare --list-peers' \
    '--list-peers -o F' '--results r --resume --format jsonl -o F' \
    '--list-peers A.mtx' '--list-peers --seed 3' '--threshold 4 A.mtx' '--compare a b --min-time 1' '--compare a b --max-noise 1' \
    '--results r --threads 1' '--results r -k cpu-csr' \
    '--results r --match a*' '--results r --exclude a*'; do
    # shellcheck disable=SC2086 # several words
    spmv-bench $words
    echo $?
done
ls
