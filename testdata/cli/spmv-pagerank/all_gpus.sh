#!/bin/bash
# --device all, on emulated GPUs: as many parts as there are give the scores of one, and GPUs that do
# not reach each other are named.
command -v spmv-pagerank-emulated >/dev/null || exit 77
run() { spmv-pagerank-emulated graph.csr --force "$@" 2>errors; } # fibers annoy ASan
spmv-gen rmat --scale 8 --values ones -o graph.csr
run --device gpu -t 1e-12 -n 500 -o one.txt
for n in 1 2 3 7; do
    export EMULATED_GPUS=$n
    for how in none extrapolation; do
        run --device all -t 1e-12 -n 500 --acceleration $how -o all.txt --json record.json
        paste one.txt all.txt | awk '{d = $2 - $4; if (d * d > 1e-22 || $1 != $3) bad++}
            END {printf "%d scores, %d differ, by ", NR, bad}'
        python3 -c 'import json; print(json.load(open("record.json"))["device"]["name"])'
    done
done
"$ROOT/scripts/check-json" record.json
EMULATED_GPUS=2 EMULATED_APART=1 run --device all -o all.txt
tail -n 1 errors
