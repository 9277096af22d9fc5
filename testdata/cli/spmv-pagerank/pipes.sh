#!/bin/bash
# A graph has the same nodes, by the same names, and the same scores to the last bit however it gets
# here: from the edge list itself, by a pipe, or through a file of any other format.
# shellcheck disable=SC2086 # several options in one word
graphs() {
    printf '# Directed\n# Nodes: 4 Edges: 6\n0 1\n0 2\n0 1\n1 2\n2 0\n3 0\n' >from_0.txt
    printf '7 30\n7 12\n7 30\n30 12\n12 7\n4000000000 7\n' >gaps.txt
    printf '1 2\n1 3\n1 2\n2 3\n3 1\n4 1\n' >from_1.txt
    printf '%s\n' source,target '"Doe, Jane",zoë' 'zoë,"say ""hi"""' '"say ""hi""","Doe, Jane"' \
        'zoë,007' '007,zoë' '"Doe, Jane",zoë' >names.csv
    printf '0 1 2\n0 2 1\n0 1 3\n1 2 1\n2 0 4\n3 0 1\n' >weights.wel
    gzip -k gaps.txt
}
# same NAME GRAPH OPTION...: is that what the ranking of the edge list was?
same() {
    spmv-pagerank -q --force "${@:2}" -o scores.txt || echo "$1: status $?"
    cmp -s scores.txt expected.txt || { echo "$1: differs"; diff expected.txt scores.txt; }
}
graphs
for graph in from_0.txt gaps.txt gaps.txt.gz from_1.txt weights.wel names.csv; do
    for to in csr csc coo ell hyb jds sell csell; do spmv-convert -q --force $graph g.$to; done
    for to in mtx mtx.gz npz; do spmv-convert -q --force $graph g.$to --map g.map; done
    spmv-convert --force g.mtx untold.el -q
    for options in '' --undirected '--undirected --unweighted' '--unweighted --transpose'; do
        spmv-pagerank -q --force $graph $options -o expected.txt
        [ -n "$options" ] || cat expected.txt
        for to in csr csc coo ell hyb jds sell csell; do same "$graph by $to $options" g.$to $options; done
        spmv-convert -q $graph --to csr - | same "$graph by a pipe $options" - $options
        text=again.el
        [ -n "$options" ] || text='again.el again.csv again.tsv.gz'
        for again in $text; do
            spmv-convert -q --force g.csr $again && same "$graph to $again and back $options" $again $options
        done
        for to in mtx mtx.gz npz; do same "$graph by $to $options" g.$to --labels g.map $options; done
        spmv-pagerank -q --force g.mtx $options -o expected.txt
        same "$graph from Matrix Market to an edge list $options" untold.el $options
    done
done
