#!/bin/bash
# --device all, on emulated GPUs: beside each kernel on the first one a row of the kernel on all of them.
command -v spmv-bench-emulated >/dev/null || exit 77
spmv-gen stencil27 --grid 3 --values random -o box.csr
bench() { spmv-bench-emulated "$@" --min-time 0 --min-samples 1 --warmup 0 2>errors; } # fibers annoy ASan
all() { bench box.csr --device all "$@"; }
tell() { python3 - "$1" <<'END'
import json, sys
for r in map(json.loads, open(sys.argv[1])):
    d = r['device']
    print(r['kernel'], r.get('gpus'), r.get('title'), d['name'], d['multiprocessors'], r['theoretical_bytes_per_s'],
          r['verify']['pass'], 'cold' in r, 'graph' in r, r.get('speedup'), r.get('chosen_by'))
END
}
export EMULATED_GPUS=3
all -o all.jsonl && split -l 1 all.jsonl line. && "$ROOT/scripts/check-json" line.* && tell all.jsonl
all -k auto,ell --precision f32 -o some.jsonl && tell some.jsonl
all -k csr-merge,sell | grep -E '^[23] x|^sell|^emulated|speed-up:' | sed 's/:.*measured//; s/   .*//'
# The roofs of a picture are those of all.
tac all.jsonl >back.jsonl && spmv-bench-emulated --results back.jsonl --plot p >table 2>errors && grep -o '[0-9] x emulated' p/roofline-gpu.svg
# What three GPUs measured is known again; two did something else.
all -k ell -o lines.jsonl && all -k ell -o lines.jsonl --resume && wc -l <lines.jsonl
tail -n 1 errors
EMULATED_GPUS=2 all -k ell -o lines.jsonl --resume && tail -n 1 errors && tell lines.jsonl
head -n 1 lines.jsonl >old.jsonl && sed 1d lines.jsonl >new.jsonl
spmv-bench-emulated --compare old.jsonl new.jsonl --across --format csv 2>errors | tr -d '\r' | cut -d, -f1,5,6
# One GPU is one GPU, and where GPUs do not reach each other nothing is recorded.
EMULATED_GPUS=1 all -k ell -o one.jsonl && tell one.jsonl
EMULATED_APART=1 all -k ell -o apart.jsonl && tell apart.jsonl
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 0\n' >empty.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' >none.mtx
bench empty.mtx none.mtx --device all -k csr-merge,csr-vector -o empty.csv && tr -d '\r' <empty.csv | awk -F, '{ print $1, $6, $9, $(NF - 1), $NF }'
for wrong in '-k cpu-csr' '--vectors 1,2'; do
    # shellcheck disable=SC2086 # options and their words
    all $wrong; echo $?
    grep '^spmv' errors
done
spmv-bench-emulated box.csr --device all --model 2,1us,1GB 2>errors; echo $?
grep '^spmv' errors
all --dry-run -k ell
EMULATED_GPUS=0 all; echo $?
grep '^spmv' errors
