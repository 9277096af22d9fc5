#!/bin/bash
# A small picture of the pattern stands beside the results of each matrix; its first record carries it.
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 2 2 3; printf '%s\n' '1 1' '2 1' '2 2'; } >lower.mtx
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 96 4800 97; for i in {1..96}; do echo "$i $i"; done; echo 96 4800; } >wide.mtx
bench() { spmv-bench -q -k cpu-csr,cpu-csc --device cpu --min-time 0 --min-samples 1 --warm-only "$@"; }
bench lower.mtx wide.mtx --generate stencil5:40 --threads 1,2 -o r.jsonl --plot p
split -l 1 r.jsonl line. && "$ROOT/scripts/check-json" line.*
python3 - <<'END'
import json
for line in open('r.jsonl'):
    r = json.loads(line)
    if 'spy' in r: print(r['matrix']['name'], r['kernel'], r['device']['threads'], r['spy']['rows'], r['spy']['cols'], r['spy']['levels'][:9])
END
cat >look.py <<'END'
import re, sys, xml.dom.minidom
page = open(sys.argv[1]).read()
style = page[page.index('<style>'):page.index('</style>')]
print('light and dark:', all(style.count('.c%d{' % i) == 2 for i in range(8)))
for section in page.split('<div class="m">')[1:]:
    name = re.search('<h3[^>]*>(.*?)</h3>', section)[1]
    spy = re.search('<svg class="spy".*?</svg>', section, re.S)
    if spy is None: print(name, 'no picture'); continue
    svg = xml.dom.minidom.parseString(spy[0]).documentElement
    blocks = {p.getAttribute('class'): p.getAttribute('d') for p in svg.getElementsByTagName('path')}
    if '-v' in sys.argv: print(name, *(svg.getAttribute(a) for a in ('width', 'height', 'viewBox')), blocks if len(spy[0]) < 400 else '')
    elif len(spy[0]) > 35000: print(name, len(spy[0]), 'bytes')
END
python3 look.py p/report.html -v
spmv-bench --results r.jsonl --plot again >/dev/null && cmp p/report.html again/report.html && echo same page
# What a file of results holds instead is left out; many pictures stay small, whatever they show.
python3 - >odd.jsonl <<'END'
import json, random
random.seed(7)
def record(name, spy): print(json.dumps({'matrix': {'file': name, 'name': name, 'rows': 9, 'cols': 9, 'nnz': 20}, 'kernel': 'k', 'precision': 'f64', 'spy': spy}))
record('short', {'rows': 2, 'cols': 2, 'levels': '888'})
record('letters', {'rows': 2, 'cols': 2, 'levels': '8<>8'})
record('nine', {'rows': 1, 'cols': 1, 'levels': '9'})
record('huge', {'rows': 1 << 32, 'cols': 1 << 32, 'levels': ''})
record('negative', {'rows': -1, 'cols': -1, 'levels': '8'})
record('empty', {'rows': 0, 'cols': 0, 'levels': ''})
record('49', {'rows': 1, 'cols': 49, 'levels': '8' * 49})
record('none', 7)
for i in range(150): record(f'm{i}', {'rows': 48, 'cols': 48, 'levels': ''.join(random.choices('012345678', k=48 * 48))})
END
spmv-bench --results odd.jsonl --plot odd >/dev/null && python3 look.py odd/report.html
