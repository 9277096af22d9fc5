#!/bin/bash
# Several vectors at once: by rule, from files, with every kernel, and what does not fit.
A=$TESTDATA/good/worked.mtx
spmv-run "$A" --vectors 3 --json r.json -o y.mtx && cat y.mtx
"$ROOT/scripts/check-json" r.json
python3 -c "import json; r = json.load(open('r.json')); print(r['kernel'], r['reason'], r['vectors'], r['useful_bytes'])"
spmv-run "$A" --vectors 2 -x index --alpha 2 --verify
printf '%%%%MatrixMarket matrix array real general\n4 2\n1\n2\n3\n4\n0\n1\n0\n-1\n' >x.mtx
spmv-run "$A" --vectors 2 -x ones -o y.mtx --force && spmv-run "$A" --vectors 2 -x x.mtx -y y.mtx --beta 1
spmv-run "$A" --vectors 2 -x x.mtx -o y.npy
spmv-run "$A" --vectors 2 -x y.npy --transpose --repeat 3 -q
spmv-gen uniform --rows 200 --cols 300 --per-row 7 -o m.mtx
for format in coo csr csc ell hyb jds sell csell; do
    spmv-run m.mtx --vectors 7 -x random -k cpu-$format -o "$format.mtx" --verify -q || echo "$format is wrong"
done
spmv-run "$A" --vectors 3 -x x.mtx; echo $?
spmv-run "$A" -x x.mtx; echo $?
spmv-run "$A" --vectors 0; echo $?
spmv-run "$A" --vectors 2 -o y.txt; echo $?
