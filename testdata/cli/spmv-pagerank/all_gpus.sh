#!/bin/bash
# --device all, on emulated GPUs: as many parts as there are give the scores of one, and GPUs that do
# not reach each other those of GPUs that do.
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
        EMULATED_APART=1 run --device all -t 1e-12 -n 500 --acceleration $how -o apart.txt
        cmp all.txt apart.txt
    done
done
"$ROOT/scripts/check-json" record.json
for apart in 0 1; do
    EMULATED_GPUS=3 EMULATED_APART=$apart run --device all --sources 1,7,9 --precision f32 -o from$apart.txt
done
cmp from0.txt from1.txt && echo 'the same from some nodes'
