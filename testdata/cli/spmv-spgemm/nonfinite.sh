#!/bin/bash
# A complex 2 is no real one: it makes NaN of the other part of what is infinite, on either side, as in
# spmv-run; a real 2 leaves it alone.  The sign of NaN is that of the processor.
one() { printf '%%%%MatrixMarket matrix %s general\n%s\n%s\n' "$2" "$3" "$4" >"$1"; }
one inf.mtx 'coordinate complex' '1 1 1' '1 1 inf 1'
one two.mtx 'coordinate complex' '1 1 1' '1 1 2 0'
one real.mtx 'coordinate real' '1 1 1' '1 1 2'
one x.mtx 'array complex' '1 1' '2 0'
for factors in 'inf.mtx two.mtx' 'two.mtx inf.mtx' 'inf.mtx real.mtx' 'real.mtx inf.mtx'; do
    for how in '' --serial; do
        # shellcheck disable=SC2086 # several words
        spmv-spgemm -q $factors $how | tail -n 1 | sed 's,-nan,nan,'
    done
done
spmv-run -q inf.mtx -x x.mtx | tail -n 1 | sed 's,-nan,nan,'
