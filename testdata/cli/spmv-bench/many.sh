#!/bin/bash
# More than twelve matrices are a heat map: a row each, the best speed-up first, over the CSR kernel of
# the device; what could not run and what was wrong has no colour, but a cross.
python3 - >r.jsonl <<'END'
import json
def result(matrix, kernel, form, kind, time, passed=True):
    r = {'matrix': {'file': matrix, 'name': matrix, 'rows': 9, 'cols': 9, 'nnz': 20, 'format': form}, 'kernel': kernel, 'precision': 'f64',
         'device': {'kind': kind, 'name': kind, 'cache_bytes': 1000}}
    if time is None:
        r['failure'] = {'status': 'SPMV_ERROR_UNSUPPORTED', 'message': 'too full', 'fill': 120}
    else:
        r.update(time_s={'median': time, 'p5': time, 'p95': time}, gflops=2, useful_bytes=500, bandwidth_bytes_per_s=1e10,
                 verify={'pass': passed, 'wrong': 3, 'worst_row': 6})
    print(json.dumps(r))
for i in range(13):
    result(f'm{i}', 'cpu-csr', 'csr', 'cpu', 8e-3)
    result(f'm{i}', 'cpu-sell', 'sell', 'cpu', 8e-3 / 2 ** (i / 5))  # 1, 1.15, 1.32, 1.52, 1.74, 2.00, 2.3 to 5.28 times as fast
    result(f'm{i}', 'cpu-ell', 'ell', 'cpu', None if i < 2 else 24e-3)  # a third
    result(f'm{i}', 'cpu-jds', 'jds', 'cpu', 7e-3, i > 0)  # 1.14, but once wrong
    result(f'm{i}', 'csr-merge', 'csr', 'gpu', 1e-4)
    result(f'm{i}', 'csell', 'csell', 'gpu', 1.5e-4)  # 0.67
    result(f'm{i}', 'cpu-bsr', 'bsr', 'cpu', None)
END
spmv-bench --results r.jsonl --plot p >/dev/null; ls p
python3 - <<'END'
import re
import xml.dom.minidom
d = xml.dom.minidom.parse('p/small.svg')
print(*(t.firstChild.data for t in d.getElementsByTagName('text')), sep='\n')
rows, frames = {}, 0
for path in d.getElementsByTagName('path'):
    if path.getElementsByTagName('title'):
        matrix, kernel, value = re.fullmatch('([^,]*), ([^:]*): (.*)', path.getElementsByTagName('title')[0].firstChild.data).groups()
        rows.setdefault(kernel, []).append((matrix, path.getAttribute('class'), value))
    elif path.getAttribute('class') == 'c':
        frames += 1
for kernel in 'cpu-sell', 'cpu-ell', 'cpu-jds', 'csell', 'cpu-bsr':
    print(kernel, *(f'{m}:{c}' for m, c, _ in rows[kernel]))
print(*sorted({value for cells in rows.values() for _, _, value in cells}), sep='\n')
# One of the GPU and one of the CPU in each row, but two in that of m0, and that of the legend.
print(frames)
END
# Where cpu-csr has no time the three others have nothing to compare with.
sed '/"m3".*"cpu-csr"/d' r.jsonl >gap.jsonl; spmv-bench --results gap.jsonl --plot gap >/dev/null
grep -oE 'class="p" d="[^"]*"><title>[^<]*|nothing[^<]*' gap/small.svg | sed 's/d="[^"]*"//'
# Twelve are bars; a rate is never written as 0.000.
grep -v '"m12"' r.jsonl | sed 's/"gflops": 2/"gflops": 0.0004/' >few.jsonl
spmv-bench --results few.jsonl --plot few >/dev/null; grep -c '<path class="k[^/]*<title>' few/small.svg; grep -o '>[^>]*n/a[^<]*' few/small.svg | sort | uniq -c
grep -ohE '>0\.0+[0-9]*<' few/small.svg few/report.html | sort | uniq -c
# Lines show the spread: 5 to 95 % of the samples take from half to twice the median.
head -n 1 r.jsonl | sed 's/"p5": 0.008/"p5": 0.004/; s/"p95": 0.008/"p95": 0.016/' >one.jsonl
spmv-bench --results one.jsonl --plot one >/dev/null; grep -oE 'class="(c|k[0-9]+)" d="[^"]*"' one/small.svg | sed 's/k[0-9]*/k/'
