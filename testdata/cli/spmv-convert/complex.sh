#!/bin/bash
# Complex matrices go through every format and back; only where they are made real, that has to be said.
A=$TESTDATA/good/hermitian.mtx
spmv-convert "$A" whole.mtx && cat whole.mtx
for format in coo csr csc ell hyb jds sell csell npy $(spmv-convert --list-formats | awk '/^npz *rw/ { print $1 }'); do
    for values in c128 c64; do
        spmv-convert "$A" a."$format" --values $values --force &&
            spmv-convert a."$format" back.mtx --force && cmp whole.mtx back.mtx
    done
done
spmv-convert "$A" a.mtx --symmetric keep && cat a.mtx
spmv-convert "$TESTDATA/good/worked.mtx" --values c64 - --to mtx | tail -n 1
spmv-convert "$TESTDATA/good/pattern.mtx" --values c128 - --to mtx | tail -n 1
spmv-convert "$A" --values pattern - --to mtx | tail -n 1
spmv-convert "$A" --precision f32 --transpose - | spmv-convert - - --to mtx | head -n 4
spmv-convert "$A" --values f64 b.csr
spmv-convert "$A" b.el
spmv-convert "$A" --complex imag b.el; cat b.el
