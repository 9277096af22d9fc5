#!/bin/bash
# --info of a hermitian matrix, and of one that is not.
cp "$TESTDATA"/good/{hermitian,complex_symmetric}.mtx .
spmv-convert --info hermitian.mtx complex_symmetric.mtx | grep -v 'the [CG]PU'
spmv-convert --info hermitian.mtx --json info.json
"$ROOT/scripts/check-json" info.json || [ $? = 77 ] || echo invalid
python3 - <<'END'
import json
f = json.load(open('info.json'))['files'][0]
print(f['field'], f['symmetry'], f['matrix']['type'], f['structure'])
END
