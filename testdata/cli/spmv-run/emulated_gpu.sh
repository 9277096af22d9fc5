#!/bin/bash
# On an emulated GPU, whose clock always tells 10 us: many multiplications go as graphs, a few do not,
# and neither changes the answer, also when beta is not 0.
command -v spmv-run-emulated >/dev/null || exit 77
run() { spmv-run-emulated "$TESTDATA/good/worked.mtx" --device gpu "$@" 2>errors; } # fibers annoy ASan
printf '10\n20\n30\n' >y.txt
for n in 15 57 600; do
    run -y y.txt --beta 3 --repeat $n -k csr-vector --json record.json -o out.txt --force && cat out.txt
    "$ROOT/scripts/check-json" record.json
    python3 -c '
import json
r = json.load(open("record.json"))
print(r["kernel"], r["batch"], len(r["time_s"]["samples"]), round(r["time_s"]["median"] * 1e6 * r["batch"], 3))'
done
run --vectors 3 --repeat 40 --verify -o y.mtx && grep -oE 'verified|40 times in graphs' errors
run -y y.txt --beta -1.5 --repeat 40 --verify -o y.mtx --force && grep -oE "verified|40 times in graphs" errors
for k in csr-merge csr-panels; do # with their own block sizes
    run -k $k --json record.json -o out.txt --force
    python3 -c 'import json; r = json.load(open("record.json")); print(r["kernel"], r["block_size"])'
done
