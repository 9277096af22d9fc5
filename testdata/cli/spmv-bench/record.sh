#!/bin/bash
# Lines and document are as the schema says, and hold what the contract promises.
run() { spmv-bench --generate banded:rows=30,bandwidth=2 -k cpu-csr,cpu-ell --device cpu --threads 1 --min-time 0 --min-samples 4 --precision f32 "$@"; }
run --format jsonl -o lines.jsonl --json document.json
run --format json -o other.json -q
split -l 1 lines.jsonl line. && "$ROOT/scripts/check-json" line.* document.json other.json
python3 - <<'END'
import json
lines = [json.loads(line) for line in open('lines.jsonl')]
assert lines == json.load(open('document.json'))['results']
for r in lines:
    m, t = r['matrix'], r['time_s']
    print(m['name'], m['nnz'], r['kernel'], r['precision'], m['format'], len(t['samples']), r['batch'], r['verify']['pass'])
    assert 0 < t['min'] <= t['p5'] <= t['median'] <= t['p95'] <= t['max'] and t['min'] <= t['mean'] <= t['max']
    assert t['median_low'] <= t['median'] <= t['median_high']
    assert r['gflops'] >= 0 and r['bandwidth_bytes_per_s'] >= 0 and r['theoretical_bytes_per_s'] > 0
    assert abs(r['efficiency'] * r['theoretical_bytes_per_s'] / r['bandwidth_bytes_per_s'] - 1) < 1e-12
    assert r['setup_s'] >= r['convert_s'] >= 0 and r['device']['name'] and r['verify']['max_rel_error'] < 1e-6
    assert r['cold']['time_s']['median'] > 0 and r['ceilings']['gather_per_s'] > 0
    print([p['name'] for p in r['phases']])
END
