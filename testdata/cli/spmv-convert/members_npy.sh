#!/bin/bash
# An archive whose first member is an array is SciPy's where an array is there that nothing else has.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 8\n' >m.mtx
spmv-convert m.mtx m.npz 2>errors || { grep -q 'this build' errors && exit 77; } # no archives
cat errors
python3 - <<'PY'
import zipfile
head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }"
array = b'\x93NUMPY\1\0' + bytes([118, 0]) + head.ljust(117) + b'\n' + bytes(6) + b'\x1c\x40'
with zipfile.ZipFile('z.zip', 'w') as f:
    f.writestr('m.npy', array)
    f.writestr('myformat.npy', array)
    f.writestr('README', 'there is no format.npy, and no indptr.npy')
    f.write('m.mtx')
with zipfile.ZipFile('data.zip', 'w') as f:
    with f.open('data.npy', 'w', force_zip64=True) as member: # as numpy.savez does
        member.write(array)
with zipfile.ZipFile('more.zip', 'w') as f, zipfile.ZipFile('m.npz') as known:
    with f.open('more.npy', 'w', force_zip64=True) as member:
        member.write(array * 100000)
    for name in known.namelist():
        f.writestr(name, known.read(name))
PY
tar cf more.tar more.zip
spmv-convert --list-members z.zip
for member in m.npy m.mtx; do spmv-convert z.zip --member $member --to mtx | tail -n 1; done
for file in data.zip more.zip more.tar; do echo $file && spmv-convert $file --to mtx | tail -n 1; done
