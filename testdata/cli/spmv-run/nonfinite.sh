#!/bin/bash
# NaN and infinity are numbers like others; the record has null for them.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n' >A.mtx
printf 'nan\ninf\n' >x.txt
spmv-run A.mtx -x x.txt
spmv-run A.mtx --alpha nan -o y.mtx --json r.json
"$ROOT/scripts/check-json" r.json && grep -E '"(alpha|error)"' r.json
