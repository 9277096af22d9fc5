#!/bin/bash
# Several vectors: kernels take all at once or one after the other, and records say how many.
bench() { spmv-bench --generate stencil5:20 -k cpu-csr,cpu-jds --device cpu --threads 1 --min-time 0 --min-samples 2 --warm-only --format jsonl "$@"; }
bench --vectors 5 -o r.jsonl && bench --vectors 5 -o r.jsonl --resume && bench --vectors 2 -o r.jsonl --resume
split -l 1 r.jsonl line. && "$ROOT/scripts/check-json" line.*
python3 - <<'END'
import json
for line in open('r.jsonl'):
    r = json.loads(line)
    m, k = r['matrix'], r['vectors']
    print(r['kernel'], k, r['verify']['pass'], m['type'], r['useful_bytes'] == 8 * m['nnz'] + 4 * (m['rows'] + 1) + 8 * k * (m['rows'] + m['cols']))
    assert abs(r['gflops'] * r['time_s']['median'] * 1e9 / (2 * m['nnz'] * k) - 1) < 1e-12
END
spmv-bench --results r.jsonl --format csv | cut -d, -f 6-8
spmv-bench --results r.jsonl | grep vectors
spmv-bench --compare r.jsonl r.jsonl | tail -1
spmv-bench --vectors 0 a.mtx; echo $?
