#!/bin/bash
# Graphs in the shapes in which people keep them have the scores that networkx gives them, node by node,
# within 1e-10: scripts/rank-graphs says how networkx came to them.
options() { # options FILE: what its columns, and nothing else, ask for
    case $1 in
        towns.csv) echo '--columns Von,Nach,Gewicht' ;;
        messages.tsv) echo '--columns 1,2' ;;
    esac
}
compare() { # compare EXPECTED GOT: of lines with score, tab and label
    awk -F '\t' 'NR == FNR { expected[$2] = $1; n++; next }
        { if (!($2 in expected)) { print "no node " $2 } else {
            off = $1 - expected[$2]; if (off > 1e-10 || off < -1e-10) print $2 " is off by " off; n-- } }
        END { if (n != 0) print n " nodes are missing" }' "$1" "$2"
}
cp "$TESTDATA"/rankings/* .
for graph in *.csv *.edgelist *.gr *.graph *.graphml *.mtx *.npz *.tsv *.txt; do
    # shellcheck disable=SC2046 # several options in one word
    spmv-pagerank "$graph" $(options "$graph") -q -t 1e-14 -n 1000 --force -o .ranked.tsv || echo "status $?"
    awk -F '\t' 'NR > 1 { gsub(/^"|"$/, "", $1); gsub(/""/, "\"", $1); print $2 "\t" $1 }' .ranked.tsv >got
    echo "$graph: $(wc -l <got) nodes"
    compare "${graph%.*}.scores" got
done
