#!/bin/bash
# Where a matrix was measured in several ways, rows of a heat map and groups of bars say which is meant: by
# what tells it apart from the others, and nothing else.
cat >make.py <<'END'
import json, sys
def result(matrix, precision, vectors, threads, kernel='cpu-csr', time=1e-3):
    print(json.dumps({'matrix': {'file': matrix, 'name': matrix, 'rows': 9, 'cols': 9, 'nnz': 20, 'format': 'csr', 'checksum': precision},
                      'kernel': kernel, 'precision': precision, 'vectors': vectors, 'device': {'kind': 'cpu', 'name': 'A', 'cache_bytes': 1000, 'threads': threads},
                      'time_s': {'median': time, 'p5': time, 'p95': time}, 'gflops': 2, 'useful_bytes': 500, 'verify': {'pass': True}}))
for i in range(int(sys.argv[1])):
    result(f'plain{i}', 'f64', 1, 2)
for threads in 1, 16:
    for vectors in 1, 4: result('both', 'f32', vectors, threads)
    result('threads', 'f64', 4, threads)
for precision in 'f32', 'f64': result('precision', precision, 1, 2)
END
names() { python3 - <<'END'
import xml.dom.minidom
texts = [(int(t.getAttribute('x') or 0), int(t.getAttribute('y') or 0), t.getAttribute('class'), t.firstChild.data) for t in
         xml.dom.minidom.parse('p/small.svg').getElementsByTagName('text') if t.getAttribute('text-anchor') == 'end']
print(*(text for _, _, _, text in texts), sep='\n')
END
}
for plain in 1 9; do
    python3 make.py $plain >r.jsonl
    spmv-bench --results r.jsonl --plot p --force >/dev/null
    grep -oE '[0-9]+ matrices[^<]*' p/small.svg
    names | grep -vE '^[0-9.]+$|geometric mean|slower'
    grep -oE '<title>both[^<]*' p/small.svg | sort
done
