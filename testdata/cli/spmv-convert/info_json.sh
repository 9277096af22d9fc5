#!/bin/bash
# The same as JSON, as the schema says.
spmv-convert --info "$TESTDATA/good/worked.mtx" "$TESTDATA/good/worked.hyb" --json info.json
"$ROOT/scripts/check-json" info.json || exit
python3 - <<'END'
import json
files = json.load(open('info.json'))['files']
for f in files:
    m = f['matrix']
    print(m['rows'], m['cols'], m['nnz'], m['row_length'], f['histogram'])
    print(f['bytes'])
    print(f['field'], f['symmetry'], f['structure'], f['values'])
END
