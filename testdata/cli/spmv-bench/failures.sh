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
    if 'fill' in r.get('failure', {}):
        m = r['matrix']
        print(abs(r['failure']['fill'] * m['nnz'] / (m['rows'] * m['row_length']['max']) - 1) < 1e-12)
END
for format in table markdown; do spmv-bench --results lines.jsonl --format $format | grep -E 'cpu-ell' | sed 's/  */ /g'; done
spmv-bench --results lines.jsonl --plot p >/dev/null && grep -c 'n/a (fill 12[0-9][0-9])<' p/report.html
spmv-bench nowhere.mtx --device cpu --threads 1 -q --min-time 0 >table
echo $?
