#!/bin/bash
# A matrix that cannot be read is a record, and the run goes on; so is a format that cannot hold it.
cp "$TESTDATA/bad/index_zero.mtx" .
spmv-bench index_zero.mtx nowhere.mtx --generate skew:rows=40000,max-row=20000,huge-rows=1 \
    --device cpu --threads 1 -k cpu-csr,cpu-ell --min-time 0 --min-samples 1 --warm-only --no-verify \
    --format jsonl -o lines.jsonl
echo $?
split -l 1 lines.jsonl line. && "$ROOT/scripts/check-json" line.*
python3 - <<'END'
import json
for line in open('lines.jsonl'):
    r = json.loads(line)
    print(r['matrix']['name'], r.get('kernel'), 'time_s' in r, r.get('failure', {}).get('status'))
END
spmv-bench --results lines.jsonl | grep -cE 'cpu-ell +ELL of width'
spmv-bench nowhere.mtx --device cpu --threads 1 -q --min-time 0 >table
echo $?
