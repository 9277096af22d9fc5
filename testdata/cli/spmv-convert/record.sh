#!/bin/bash
# The record of a conversion is as the schema says.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --json - >record.json
"$ROOT/scripts/check-json" record.json || exit
python3 - <<'END'
import json
r = json.load(open('record.json'))
print(r['tool'], r['arguments'][1:], r['input'], r['output'], [p['name'] for p in r['phases']])
END
# Where nothing is converted there is no output.
spmv-convert "$TESTDATA/good/worked.mtx" --json - >only.json && "$ROOT/scripts/check-json" only.json
grep -q '"output"' only.json || echo 'no output'
