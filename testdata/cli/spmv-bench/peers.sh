#!/bin/bash
# A peer is a kernel like any other: verified, timed, and what ours are compared with.
spmv-bench --list-peers | grep -q '^graphblas:csr' || exit 77
cp "$TESTDATA/good/worked.mtx" .
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 4 3\n1 1\n1 3\n3 4\n' >pattern.mtx
for how in f32 f64 f32,3 f64,3; do
    IFS=, read -r precision vectors <<<"$how"
    spmv-bench worked.mtx pattern.mtx --generate powerlaw:rows=3000 --generate hypersparse:rows=900 --device cpu --threads 1 -k cpu-csr \
        --peer graphblas --precision "$precision" --vectors "${vectors:-1}" --min-time 0 --min-samples 2 --warm-only --format jsonl -o "$how.jsonl"
    split -l 1 "$how.jsonl" line. && "$ROOT/scripts/check-json" line.*
    python3 - "$how.jsonl" <<'END'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    p = r['best_peer']
    print(r['matrix']['name'], r['kernel'], r['precision'], r['verify']['pass'], p['kernel'], p['ratio'] == 1 if ':' in r['kernel'] else p['ratio'] > 0)
END
done
