#!/bin/bash
# The picture of the convergence is SVG with a point for each iteration, as is the history.
graph=$TESTDATA/graphs/karate.mtx
spmv-pagerank "$graph" --plot a.svg --history --json run.json -o x.txt
"$ROOT/scripts/check-json" run.json
python3 - <<'END'
import json
from xml.etree import ElementTree
p = json.load(open('run.json'))['pagerank']
h = p['history']
line = [e for e in ElementTree.parse('a.svg').iter() if e.tag.endswith('polyline')][0]
points = [tuple(map(float, xy.split(','))) for xy in line.get('points').split()]
print(p['iterations'] == len(h) == len(points), h[-1] == p['residual'], h[-1] < p['tolerance'] <= h[-2])
print(all(a[0] < b[0] and a[1] < b[1] for a, b in zip(points[2:], points[3:])))
END
# The axes and the lines have names, the tolerance lies where the change falls below it, and all is inside.
spmv-pagerank "$graph" --sources 1,2,3 --norm linf --tolerance 1e-4 -n 200 --plot several.svg -q >/dev/null
python3 - <<'END'
import re
from xml.etree import ElementTree
for name in 'a.svg', 'several.svg':
    tree = ElementTree.parse(name).getroot()
    texts = [(t.get('x'), t.text) for t in tree.iter() if t.tag.endswith('text')]
    print(*(t for _, t in texts if re.match('[a-z]', t)), sep=', ')
    print(all(0 < float(x) < float(tree.get('width')) - 10 for x, _ in texts if x))
    line = [e for e in tree.iter() if e.tag.endswith('polyline')][0].get('points').split()
    tolerance = float(re.search(r'class="b d" d="M\d+ ([0-9.]+)h', open(name).read())[1])
    print(float(line[-1].split(',')[1]) > tolerance >= float(line[-2].split(',')[1]))
END
spmv-pagerank "$graph" --plot b.svg -n 1 -q >/dev/null; echo $?
spmv-pagerank "$graph" --plot - --json run.json --force --top 1; echo $?
spmv-pagerank "$graph" --plot a.png; echo $?
spmv-pagerank "$graph" --plot a.svg -q; echo $?
spmv-pagerank "$graph" --history; echo $?
ls
