#!/bin/bash
# The worked example of the manual times its transpose; what cancels stays, or goes.
spmv-spgemm "$TESTDATA/good/worked.mtx" --transpose-b
cp "$TESTDATA/good/worked.mtx" copy.mtx
spmv-spgemm --transpose-a "$TESTDATA/good/worked.mtx" - <copy.mtx | tail -n +2
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 6\n2 2 1\n' >A.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 3\n1 2 5\n2 1 -1\n2 2 7\n' >B.mtx
spmv-spgemm A.mtx B.mtx | tail -n +2
spmv-spgemm A.mtx B.mtx --drop-zeros | tail -n +2
spmv-spgemm A.mtx B.mtx --boolean
spmv-spgemm A.mtx B.mtx --top 1 | tail -n +2
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n' | spmv-spgemm A.mtx B.mtx --mask - | tail -n +2
# Counts in single precision, where that is asked for.
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n1 2\n2 2\n' >P.mtx
for words in '' '--precision f32' '--precision f64' '--boolean'; do
    # shellcheck disable=SC2086 # two words
    spmv-spgemm P.mtx $words -o - --to csr | spmv-convert --info - --format csv | cut -d , -f 3-8
done
