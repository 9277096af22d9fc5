#!/bin/bash
# --device all, on emulated GPUs: as many parts as there are, more than rows too, and one answer, whether they
# reach each other's memory or not.
command -v spmv-run-emulated >/dev/null || exit 77
run() { spmv-run-emulated "$@" --device all 2>errors; } # fibers annoy ASan
printf '10\n20\n30\n' >y.txt
spmv-gen stencil27 --grid 6 --values random -o box.csr
for n in 1 2 3 7; do
    export EMULATED_GPUS=$n
    run "$TESTDATA/good/worked.mtx" -y y.txt --beta 3 -o out.txt --force && xargs <out.txt
    run box.csr -x random --repeat 40 --verify -o box.txt --force --json record.json &&
        grep -oE 'verified|40 times in graphs|while .*' errors
    EMULATED_APART=1 run box.csr -x random --repeat 3 --verify -o apart.txt --force && cmp box.txt apart.txt
    grep -o verified errors
    "$ROOT/scripts/check-json" record.json
    python3 -c 'import json; r = json.load(open("record.json")); print(r["kernel"], r["device"]["name"])'
done
for k in csr-scalar csr-merge ell sell hyb jds bsr coo-atomic; do
    run box.csr -k $k -x random --partition rows --verify -o y.mtx --force && grep -o verified errors
done
run box.csr -k cpu-csr -o y.mtx --force
tail -n 1 errors
