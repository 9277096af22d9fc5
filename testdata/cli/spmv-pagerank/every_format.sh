#!/bin/bash
# A graph of any kind keeps its nodes and, to the last bit, its scores after a round trip through every
# format that is written, as a file and as a pipe.  Formats that hold no names get them from a map.
spmv-convert --list-formats --json - >formats.json
written() { # the formats that this build writes, a suffix of each, and how it is read again
    python3 - <<'END'
import json
formats = json.load(open('formats.json'))
for f in formats['formats']: print(f['name'], '.' + f['name'])
for f in formats['file_formats']:
    if not f['writes'] or f['name'] == 'binary': continue
    by_name = f' --from {f["name"]}' if f['summary'].endswith('read when it is named only') else ''
    print(f['name'], f['suffixes'].split()[0] + by_name + (' --labels map' if f['name'] != 'el' else ''))
END
}
# compare WHAT ARGUMENT...: is that what the ranking of the graph itself was?
compare() {
    spmv-pagerank -q --force "${@:2}" -o scores.txt || echo "$1: status $?"
    cmp -s scores.txt expected.txt || { echo "$1: differs"; diff expected.txt scores.txt; }
}
cp "$TESTDATA"/rankings/{friends.csv,wiki.txt,ring.graph,roads.gr} .
spmv-convert --check "$TESTDATA/graphs/weights.graphml" 2>/dev/null && cp "$TESTDATA/graphs/weights.graphml" .
for graph in friends.csv wiki.txt ring.graph roads.gr *.graphml; do
    [ -e "$graph" ] || continue
    spmv-pagerank -q --force "$graph" -o expected.txt || echo "$graph: status $?"
    while read -r format suffix options; do
        # shellcheck disable=SC2086 # several options
        spmv-convert -q --force "$graph" "again$suffix" --map map && compare "$graph by $format" "again$suffix" $options
        # shellcheck disable=SC2086
        spmv-convert -q "$graph" --to "$format" - | compare "$graph by a pipe of $format" - $options
        echo "$format" >>ways
    done < <(written)
    [ -s expected.txt ] || echo "$graph: no nodes"
done
sort ways | uniq -c | awk '$1 < 4 { print } END { print (NR >= 12) }'
