#!/bin/bash
# Processes that read a graph together rank the graph that one process reads, and say what it says.
has_ranks || exit 77
compare() { # P ARGUMENT...: scores, status and words
    local p=$1 status
    shift
    spmv-pagerank "$@" -o one.txt 2>one.err
    status=$?
    on_ranks "$p" spmv-pagerank "$@" -o many.txt 2>noise
    [ $? = $status ] && grep '^spmv-pagerank' noise | cmp - one.err || echo "not so: $*"
    [ ! -e one.txt ] || cmp one.txt many.txt
    echo "$p: $*: $status"
    cat one.err
    rm -f one.txt many.txt
}
# Weights, of which some are 0; loops; nodes without an edge; names.
spmv-gen rmat --scale 9 --values random | sed '3,$s/ -/ /; 5s/ [^ ]*$/ 0/' >A.mtx
spmv-convert A.mtx A.csr
compare 3 A.mtx
compare 2 A.csr --precision f32 --dangling self
compare 2 A.mtx --transpose --count-repeated
compare 3 A.csr --transpose --as gap
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 1\n3 3\n5 4\n' >half.mtx
compare 2 half.mtx
compare 2 half.mtx --undirected --simple
compare 3 A.mtx --undirected --unweighted
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n2 3\n' >mutual.mtx
compare 2 mutual.mtx --undirected --as igraph
printf 'Anna Boris\nBoris Clara\nClara Anna\nAnna Clara\n' >named.el
spmv-convert named.el named.csr
compare 3 named.csr --sources Clara

# What only one process can say: a repeated entry counts as it should, a bad one has its place.
printf '%%%%MatrixMarket matrix coordinate real general\n4 4 6\n1 2 1\n1 3 1\n2 1 5\n3 1 1\n3 4 2\n1 2 3\n' >twice.mtx
compare 3 twice.mtx
sed '$s/^1 2 3$/3 9 3/' twice.mtx >outside.mtx
compare 3 outside.mtx
sed '$s/^1 2 3$/4 1 -3/' twice.mtx >negative.mtx
compare 3 negative.mtx
compare 2 negative.mtx --undirected

# The record says of the rows what one process does.
spmv-pagerank A.mtx -q --json 1.json -o /dev/null
on_ranks 3 spmv-pagerank A.mtx -q --json 3.json -o /dev/null
"$ROOT/scripts/check-json" 3.json
for p in 1 3; do
    python3 -c 'import json, sys
matrix = json.load(open(sys.argv[1]))["matrix"]
print(matrix["nnz"], matrix["type"], {k: round(v, 6) for k, v in matrix["row_length"].items()})' $p.json
done
