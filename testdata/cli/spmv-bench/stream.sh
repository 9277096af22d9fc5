#!/bin/bash
# A matrix that comes only once, from standard input or a pipe, is measured in every way all the same.
A() { spmv-gen stencil5:4 --values random; }
A >A.mtx && spmv-convert A.mtx -o A.csr && mkfifo pipe
bench() { timeout 60 spmv-bench "$@" -k cpu-csr --device cpu --min-time 0 --min-samples 1 --warm-only --format jsonl >lines; }
show() {
    echo "status $?"
    python3 - <<'END'
import json
for line in open('lines'):
    r = json.loads(line)
    m = r['matrix']
    print(r['precision'], r['vectors'], r['device']['threads'], m['rows'], m['nnz'], m['type'], r['verify']['pass'], m['checksum'] == json.loads(open('lines').readline())['matrix']['checksum'])
END
}
A | bench - --threads 1,2
show
A | bench --precision f32,f64 --threads 1
show
bench - --vectors 1,2 --threads 1 <A.csr
show
A >pipe &
bench pipe --from mtx --threads 1,2
show

# What comes only once is left out, and cannot be read, only once.
A | bench - --threads 1,2 --max-nnz 3
show
echo nonsense | spmv-bench - -k cpu-csr --device cpu --threads 1,2 --format csv | wc -l
