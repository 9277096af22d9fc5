#!/bin/bash
# Sums of integers that are too large to be exact are counted, and the first one is told.
mtx() { printf '%%%%MatrixMarket matrix coordinate integer general\n'; printf '%s\n' "$@"; }
mtx '2 2 3' '1 1 94906267' '1 2 1' '2 2 94906266' >A.mtx # the root of 2^53 lies below
spmv-spgemm A.mtx --json record.json
python3 -c 'import json; print(json.load(open("record.json"))["product"]["rounded"])'
spmv-spgemm A.mtx --precision f32 -o single.mtx
spmv-spgemm A.mtx --boolean -o pattern.mtx
spmv-spgemm A.mtx -q -o quiet.mtx
mtx '2 2 2' '1 1 94906265' '2 2 94906265' >B.mtx
spmv-spgemm B.mtx -o exact.mtx
# Of a column A^T A has as many terms as there are rows: four times 2^52 is 2^54.
mtx '4 1 4' '1 1 67108864' '2 1 67108864' '3 1 67108864' '4 1 67108864' >column.mtx
spmv-spgemm column.mtx --transpose-a
