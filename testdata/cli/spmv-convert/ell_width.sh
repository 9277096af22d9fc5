#!/bin/bash
# The width of ELL and of the ELL part of HYB can be set.
spmv-convert "$TESTDATA/good/worked.mtx" A.ell --ell-width 4
spmv-convert "$TESTDATA/good/worked.mtx" B.ell
test "$(wc -c <A.ell)" -gt "$(wc -c <B.ell)" && spmv-convert A.ell - --to mtx | cmp - <(spmv-convert "$TESTDATA/good/worked.mtx" - --to mtx)
for k in 0 1 2; do
    spmv-convert "$TESTDATA/good/worked.mtx" A.hyb --force --hyb-width $k && spmv-convert A.hyb - --to mtx | cmp - <(spmv-convert "$TESTDATA/good/worked.mtx" - --to mtx)
done
spmv-convert "$TESTDATA/good/worked.mtx" C.ell --ell-width 4
spmv-convert B.ell D.ell --ell-width 4 && cmp C.ell D.ell
