#!/bin/bash
# The width of ELL and of the ELL part of HYB can be set.
same() { spmv-convert "$1" - --to mtx | cmp - <(spmv-convert "$TESTDATA/good/worked.mtx" - --to mtx); }
spmv-convert "$TESTDATA/good/worked.mtx" A.ell --ell-width 4 && same A.ell
spmv-convert "$TESTDATA/good/worked.mtx" B.ell
test "$(wc -c <A.ell)" -gt "$(wc -c <B.ell)" || echo 'the width makes no difference'
spmv-convert B.ell C.ell --ell-width 4 && cmp A.ell C.ell
# Of rows with 2, 2 and 1 entries the ELL part takes 12 bytes a place, and the others 24 bytes an entry.
for k in 0 1 2 3; do
    spmv-convert "$TESTDATA/good/worked.mtx" A.hyb --force --hyb-width $k && same A.hyb
    spmv-convert --info A.hyb | grep -o 'hyb [0-9]* B'
done
