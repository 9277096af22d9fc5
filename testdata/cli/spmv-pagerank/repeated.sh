#!/bin/bash
# An edge without a value that is given twice is there once, in any format; with --count-repeated it
# counts twice, also packed and in both halves of a symmetric file.
rank() { spmv-pagerank -q "$@" -t 1e-14 -n 1000 | cut -d ' ' -f 2; }
banner='%%MatrixMarket matrix coordinate'
printf '1 2 2\n1 3 1\n2 1 1\n3 1 1\n' >entries
printf '%s real general\n3 3 4\n' "$banner" | cat - entries >weights.mtx
printf '%s pattern general\n3 3 5\n1 2\n1 3\n1 2\n2 1\n3 1\n' "$banner" >pattern.mtx
printf '0 1\n0 2\n0 1\n1 0\n2 0\n' >list.el
gzip -k pattern.mtx
rank weights.mtx | awk '{ printf "%.6f\n", $1 }'
rank weights.mtx >expected
for file in pattern.mtx pattern.mtx.gz list.el; do rank $file --count-repeated | cmp - expected; done
rank weights.mtx --unweighted >once
for file in pattern.mtx list.el; do
    rank $file | cmp - once
    rank $file --simple | cmp - once
    rank $file --unweighted | cmp - once
done
printf '%s pattern symmetric\n3 3 4\n2 1\n3 1\n2 1\n1 3\n' "$banner" >both.mtx
printf '%s real symmetric\n3 3 2\n2 1 2\n3 1 1\n' "$banner" >one.mtx
rank one.mtx >expected
rank both.mtx --count-repeated | cmp - expected
spmv-pagerank list.el --count-repeated --simple; echo $?
spmv-convert -q list.el --count-repeated - --to el
# An edge of weight 3 and one of weight 1, as their programs take them: the last, the first, each.
printf '1 2 3\n1 3 1\n1 2 1\n2 1 1\n3 1 1\n' >twice.wel
rank twice.wel | awk '{ printf "%.6f\n", $1 }'
for as in networkx cugraph igraph; do rank twice.wel --as $as | awk '{ printf "%.6f\n", $1 }'; done
# Counted before or after a pipe, an edge counts the same, and where none is repeated, too.
printf '1 2\n2 1\n3 1\n' >once.el
rank once.el --count-repeated --undirected >expected && sort -u expected | wc -l
for to in csr el mtx; do spmv-convert once.el --count-repeated --to $to | rank - --undirected | cmp - expected; done
spmv-convert once.el --count-repeated --to mtx | head -n 1
spmv-convert once.el once.csr && spmv-pagerank once.csr --count-repeated --undirected -t 1e-14 -n 1000 | cut -d " " -f 2 | cmp - expected
