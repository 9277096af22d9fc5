#!/bin/bash
# The record of a run is as the schema says.
spmv-pagerank "$TESTDATA/graphs/karate.mtx" --top 2 --json run.json >/dev/null &&
    "$ROOT/scripts/check-json" run.json
spmv-pagerank "$TESTDATA/graphs/karate.mtx" -n 1 -q -o x.txt --json - >not.json; echo $?
"$ROOT/scripts/check-json" not.json
python3 - <<'END'
import json
for name in 'run.json', 'not.json':
    r = json.load(open(name))
    p = r['pagerank']
    print(p['nodes'], p['dangling'], p['weighted'], p['iterations'], p['converged'],
          p['residual'] < p['tolerance'], [t['node'] for t in p['top']],
          [phase['name'] for phase in r['phases']])
END
# The rate counts the edges of every iteration and ranking.
spmv-pagerank "$TESTDATA/graphs/karate.mtx" --sources 1,2 -q --json two.json >/dev/null
python3 - <<'END'
import json
p = json.load(open('two.json'))['pagerank']
print(round(p['edges_per_s'] * p['iterate_s'] / (p['edges'] * p['iterations']), 6))
END
# Nodes that have words for names.
printf 'a b\nb c\n2 a\n' >words.el
spmv-pagerank words.el --sources a,2 --top 2 --json words.json >/dev/null && "$ROOT/scripts/check-json" words.json
