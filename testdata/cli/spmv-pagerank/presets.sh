#!/bin/bash
# The conventions of others, and options that overrule them.  In the graph, which has a loop, a
# repeated edge, weights and the dangling node 2, GAP sees the chain 0 -> 1 -> 2 with weights alike:
# 0.15 / 3 = 0.05, 0.05 + 0.85 * 0.05 = 0.0925, 0.05 + 0.85 * 0.0925 = 0.128625.
printf '0 1 7\n0 0 3\n1 2 5\n0 1 2\n' >A.wel
spmv-pagerank -q A.wel --as gap | awk '{ printf "%s %.6f\n", $1, $2 }'
for name in networkx gap cugraph igraph; do
    spmv-pagerank -q A.wel --as $name -o x.txt --force --json run.json
    "$ROOT/scripts/check-json" run.json
    python3 - <<'END'
import json
p = json.load(open('run.json'))['pagerank']
print(p['as'], p['tolerance'], p['norm'], p['max_iterations'], p['dangling_to'], p['weighted'],
      p['edges'], p['converged'], '%.6f' % p['sum'])
END
done
spmv-pagerank -q A.wel --as networkx -t 0.7 -n 1 >/dev/null; echo $?
spmv-pagerank A.wel --as gap --dangling uniform -d 0.5 | awk '{ printf "%.6f ", $2 } END { print "" }'
