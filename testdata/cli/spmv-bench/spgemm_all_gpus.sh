#!/bin/bash
# --op spgemm --device all, on emulated GPUs: from the host and back with one of them and with all, beside a
# product that stays on the first one.
command -v spmv-bench-emulated >/dev/null || exit 77
spmv-gen rmat --scale 5 --values random -o web.csr
spmv-gen uniform --rows 20 --cols 60 --per-row 3 --values random -o flat.csr
bench() { spmv-bench-emulated --op spgemm "$@" --min-time 0 --min-samples 1 --warmup 0 2>errors; } # fibers annoy ASan
export EMULATED_GPUS=3
bench web.csr flat.csr --device all -o all.jsonl && split -l 1 all.jsonl line. && "$ROOT/scripts/check-json" line.*
python3 - <<'END'
import json
for r in map(json.loads, open('all.jsonl')):
    print(r['matrix']['name'], r['kernel'], r.get('gpus'), r.get('title'), r['device']['name'], r['verify']['equal_bits'],
          'memory_bytes' in r['product'], 'speedup' in r)
END
bench web.csr --device all | grep -oE '^(3 x )?spgemm-[a-z]+|speed-up: 3 x spgemm-gpus' | LC_ALL=C sort # fastest first otherwise
bench web.csr --device all -o all.jsonl --resume && grep were errors
EMULATED_GPUS=1 bench web.csr --device all -k spgemm-gpus --format csv | tr -d '\r' | tail -n 1 | cut -d, -f1,5,6
for device in auto gpu cpu; do
    bench web.csr --device $device -k spgemm-gpus; echo $?
    grep '^spmv' errors
done
bench --generate dense:4 --device all --dry-run
