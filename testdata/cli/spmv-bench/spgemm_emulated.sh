#!/bin/bash
# On an emulated GPU: the product stays there, and is told with the memory that it took beside A and B.
command -v spmv-bench-emulated >/dev/null || exit 77
export EMULATED_TAKES=1
spmv-gen rmat:scale=7,per-row=4 --values random -o A.csr
bench() { spmv-bench-emulated --op spgemm A.csr --min-time 0 --min-samples 1 --warmup 0 --format jsonl "$@" 2>errors; status=$?; grep -v makecontext errors >&2; return $status; }
bench -o auto.jsonl && bench --device gpu -o gpu.jsonl && bench --device gpu -k spgemm-cpu -o none.jsonl; echo $?
split -l 1 auto.jsonl line. && "$ROOT/scripts/check-json" line.*
python3 - <<'END'
import json
for name in 'auto.jsonl', 'gpu.jsonl':
    for r in map(json.loads, open(name)):
        p = r['product']
        memory = p.get('memory_bytes')
        print(name, r['kernel'], r['device']['kind'], r['verify']['equal_bits'], memory and memory >= 12 * p['nnz'])
END
# A GPU with too little memory: the reason is a record, and the CPU is measured.
EMULATED_MEMORY=4000 bench -o small.jsonl; echo $?
python3 -c "import json
for line in open('small.jsonl'): r = json.loads(line); print(r['kernel'], r.get('failure', {}).get('status'))"
