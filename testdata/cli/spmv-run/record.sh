#!/bin/bash
# The record is as the schema says, and its numbers agree with each other.
spmv-run "$TESTDATA/good/worked.mtx" -o y.mtx --repeat 5 --verify --device cpu -q --json record.json -k cpu-ell
"$ROOT/scripts/check-json" record.json || exit
python3 - <<'END'
import json
r = json.load(open('record.json'))
print(r['kernel'], r['precision'], r['matrix']['format'], r['device']['kind'], r['verify']['pass'])
t, n = r['time_s'], r['matrix']['nnz']
assert len(t['samples']) == 5 and min(t['samples']) == t['min'] and max(t['samples']) == t['max']
assert sorted(t['samples'])[2] == t['median'] > 0
assert abs(r['gflops'] - 2 * n / t['median'] * 1e-9) <= 1e-12 * r['gflops']
assert abs(r['efficiency'] * r['theoretical_bytes_per_s'] * t['median'] - r['useful_bytes']) < 1e-6
print([p['name'] for p in r['phases']])
END
