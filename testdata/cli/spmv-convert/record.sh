#!/bin/bash
# The record of a conversion is as the schema says.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr --json - >record.json
"$ROOT/scripts/check-json" record.json || exit
python3 - <<'END'
import json
r = json.load(open('record.json'))
print(r['tool'], r['arguments'][1:], r['input'], r['output'], [p['name'] for p in r['phases']])
END
