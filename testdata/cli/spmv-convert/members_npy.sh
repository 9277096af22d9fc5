#!/bin/bash
# An archive whose first member is an array is SciPy's where this is one of those that SciPy writes.
python3 - <<'PY'
import zipfile
head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }"
array = b'\x93NUMPY\1\0' + bytes([118, 0]) + head.ljust(117) + b'\n' + bytes(6) + b'\x1c\x40'
with zipfile.ZipFile('z.zip', 'w') as f:
    f.writestr('m.npy', array)
    f.writestr('m.mtx', '%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n')
PY
spmv-convert --list-members z.zip >members 2>errors || { cat errors && exit 77; } # no archives in this build
cat members
for member in m.npy m.mtx; do spmv-convert z.zip --member $member --to mtx | tail -n 1; done
