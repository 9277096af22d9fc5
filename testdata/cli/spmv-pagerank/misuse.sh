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
# A name that holds a comma is one source.
printf '"a, b",c\nc,"a, b"\n' >names.csv
spmv-pagerank -q names.csv --sources '"a, b"' --sort score -o -
spmv-pagerank -q names.csv --sources '"a, b",c' --sort score -o -; echo $?
spmv-pagerank -q names.csv --sources '"a, b' -o -; echo $?
# Who asks for weights is not told to do without them, and the beginning of a name is that name.
spmv-pagerank g.mtx --weighted
spmv-pagerank g.mtx --directed
spmv-pagerank g.mtx --tol 1e-3; echo $?
