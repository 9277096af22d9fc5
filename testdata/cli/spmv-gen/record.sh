#!/bin/bash
# The record of a run is as the schema says.
spmv-gen fem:2 -o A.csr --json run.json && "$ROOT/scripts/check-json" run.json
python3 - <<'END'
import json
r = json.load(open('run.json'))
m = r['matrix']
print(r['kind'], r['seed'], m['file'], m['rows'], m['nnz'], m['type'], [p['name'] for p in r['phases']])
END
# A seed in the words of the kind is the one of the record.
spmv-gen uniform:rows=4,per-row=2,seed=3 -o - --to mtx --json seed.json >/dev/null && grep -o '"seed":[[:space:]]*[0-9]*' seed.json
