#!/bin/bash
# What makes no sense is refused before anything is read.
graph=$TESTDATA/graphs/karate.mtx
for words in '' 'a b' "$graph -d 1" "$graph -d 0" "$graph -d nan" "$graph -t 0" "$graph -t inf" "$graph -t 1e999" "$graph -t x" \
    "$graph -n 0" "$graph -k 0" "$graph -k 3 -o -" \
    '- --labels -' "$graph --labels - --init -" "$graph --json x -o x" "$graph --device tpu" "nowhere -o x.csr"; do
    # shellcheck disable=SC2086 # several words
    spmv-pagerank -q $words
    echo $?
done
