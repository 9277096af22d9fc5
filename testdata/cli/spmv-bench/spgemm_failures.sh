#!/bin/bash
# What makes no sense with sparse products is refused; what was wrong is marked; one bad file stops nothing.
cp "$TESTDATA/good/worked.mtx" a.mtx
for words in '--vectors 3 a.mtx' '--warm-only a.mtx' '-k cpu-csr a.mtx' '-k auto a.mtx' '-k spgemm-gpu --device cpu a.mtx' \
    '--compare a b' '--list-peers' '--results r.jsonl'; do
    # shellcheck disable=SC2086 # several words
    spmv-bench --op spgemm $words 2>errors && cat errors
    echo $?
    grep -v '^Usage' errors
done
spmv-bench --op spmm a.mtx; echo $?
spmv-bench -k spgemm-cpu a.mtx; echo $?
spmv-bench --op spgemm nowhere.mtx a.mtx --device cpu --min-time 0 --min-samples 1 --format jsonl -o r.jsonl; echo $?
python3 -c "import json
for line in open('r.jsonl'): r = json.loads(line); print(r['matrix']['name'], r.get('kernel'), r.get('failure', {}).get('status'))"
# A product of ours that was wrong, and one of a peer that could not be made.
sed -n 2p r.jsonl | sed 's/"wrong":0/"wrong":2/; s/"worst_row":-1/"worst_row":1/; s/"pass":true/"pass":false/; s/"equal_bits":true/"equal_bits":false/' >wrong.jsonl
python3 - <<'END' >>wrong.jsonl
import json
r = json.loads(open('r.jsonl').readlines()[1])
for key in 'time_s', 'verify', 'product', 'gflops', 'useful_bytes', 'moved_bytes', 'bandwidth_bytes_per_s', 'theoretical_bytes_per_s', 'efficiency', 'best_peer':
    r.pop(key, None)
print(json.dumps({**r, 'kernel': 'library:spgemm', 'failure': {'status': 'SPMV_ERROR_CUDA_MALLOC', 'message': 'insufficient resources'}}))
END
split -l 1 wrong.jsonl line. && "$ROOT/scripts/check-json" line.*
spmv-bench --results wrong.jsonl | grep -oE '^spgemm-cpu|WRONG.*|^library.*|differ|so many.*'
spmv-bench --op spgemm a.mtx --device cpu --min-time 0 --min-samples 1 --format jsonl -o wrong.jsonl --resume; echo $?
