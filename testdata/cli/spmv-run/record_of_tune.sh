#!/bin/bash
# The record of --kernel tune tells what was tried.
spmv-run "$TESTDATA/good/worked.mtx" -o y.mtx -k tune --device cpu --json record.json
"$ROOT/scripts/check-json" record.json || exit
python3 - <<'END'
import json
r = json.load(open('record.json'))
tried = {t['kernel']: t['time_s'] for t in r['tried']}
assert r['kernel'] == min(tried, key=tried.get), tried
print(sorted(tried), r['reason'])
END
