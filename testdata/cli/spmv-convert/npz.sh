#!/bin/bash
# SciPy's files in and out: the arrays keep their format, other formats become CSR.
spmv-convert --list-formats | grep -q '^npz *rw' || exit 77
for name in csr csc coo logical single; do
    spmv-convert "$TESTDATA/npz/$name.npz" $name.npz && spmv-convert --info $name.npz | head -n 2
done
spmv-convert csr.npz a.ell && spmv-convert a.ell b.npz && cmp csr.npz b.npz && echo same
spmv-convert "$TESTDATA/good/pattern_symmetric.mtx" --symmetric keep - --to npz | spmv-convert - - --to mtx
cp "$TESTDATA"/npz/{complex,pickled,index_outside}.npz .
spmv-convert complex.npz z.csc && spmv-convert z.csc - --to mtx | tail -n 1
spmv-convert complex.npz --complex imag - --to mtx | tail -n 1
spmv-convert --check {pickled,index_outside,csr}.npz
# Arrays of one or three dimensions have no columns where a matrix has them.
python3 - <<'END'
import struct, zipfile
def npy(descr, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', 118) + head.ljust(117).encode() + b'\n' + data
for n in 1, 3:
    with zipfile.ZipFile('of_%d.npz' % n, 'w') as z:
        z.writestr('format.npy', npy('|S3', '()', b'coo'))
        z.writestr('shape.npy', npy('<i8', '(%d,)' % n, struct.pack('<%dq' % n, *[2] * n)))
        z.writestr('data.npy', npy('<f8', '(1,)', struct.pack('<d', 1)))
        z.writestr('coords.npy', npy('<i8', '(%d, 1)' % n, struct.pack('<%dq' % n, *[0] * n)))
END
spmv-convert --check of_{1,3}.npz
