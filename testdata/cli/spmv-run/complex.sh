#!/bin/bash
# Complex matrices, vectors and factors: y is complex where any of them is.
A=$TESTDATA/good/hermitian.mtx
printf '%%%%MatrixMarket matrix array complex general\n4 1\n1 1\n0 0\n0 -2\n0.5 0\n' >x.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n' >y.mtx
spmv-run "$A"
spmv-run "$A" -x y.mtx --alpha 1+2i --beta=-i -y y.mtx
spmv-run "$TESTDATA/good/worked.mtx" -x x.mtx
spmv-run "$TESTDATA/good/pattern.mtx" --alpha -2.5j
spmv-run "$TESTDATA/good/worked.mtx" -x x.mtx --precision f32 -o single.npy && spmv-run "$A" -x single.npy --alpha 2e0+0i
printf '%%%%MatrixMarket matrix array complex general\n3 1\n0 1\n0 2\n0 3\n' >i.mtx
spmv-run "$TESTDATA/good/worked.mtx" -x ones -y i.mtx --beta 1
spmv-convert "$A" a.csr --values c64
for kernel in cpu-{coo,csr,csc,ell,hyb,jds,sell,csell}; do
    for precision in f32 f64; do
        for input in "$A" a.csr; do
            spmv-run -q "$input" -k "$kernel" -x random --alpha 1-1i --beta 0.5i -y y.mtx --precision $precision \
                --verify -o /dev/null 2>&1 | grep -v '^spmv-run: verified'
        done
    done
done
spmv-run "$TESTDATA/good/worked.mtx" --alpha 1+1i --beta 2 --verify --json run.json -o /dev/null
"$ROOT/scripts/check-json" run.json || [ $? = 77 ] || echo invalid
python3 -c "import json; r = json.load(open('run.json')); print(r['alpha'], r['beta'], r['precision'], r['matrix']['type'], r['verify']['pass'])"
for factor in 1+2 1+2k i1 1ii 1+-2i ' 1i' +; do spmv-run "$A" --alpha "$factor"; done
spmv-run "$A" -o y.txt
