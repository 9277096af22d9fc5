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
# A file that cannot be read is there, and why.
printf 'junk\n' >bad.mtx
spmv-convert --info bad.mtx "$TESTDATA/good/worked.mtx" nowhere.mtx --json bad.json 2>/dev/null; echo $?
"$ROOT/scripts/check-json" bad.json || exit
python3 - <<'END'
import json, os
for f in json.load(open('bad.json'))['files']:
    print(os.path.basename(f['file']), f['pass'], f.get('failure', {}).get('status'), 'matrix' in f)
END
