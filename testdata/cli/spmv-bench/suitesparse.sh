#!/bin/bash
# A folder of downloads: measured, continued when there is more, and shown.
run() { "$ROOT/scripts/bench-suitesparse" downloads --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only; }
mkdir downloads && tar czf downloads/worked.tar.gz -C "$TESTDATA/good" worked.mtx
spmv-convert --check downloads/worked.tar.gz 2>/dev/null || exit 77 # no archives in this build
names() { python3 -c "import json
print({json.loads(line)['matrix']['name'] for line in open('downloads/results.jsonl')} )"; }
run >table && names
grep -c '^\*\*' downloads/results.md && ls downloads/report
lines=$(wc -l <downloads/results.jsonl)
run >table && [ "$(wc -l <downloads/results.jsonl)" = "$lines" ] && grep -c nonzeros table
"$ROOT/scripts/bench-suitesparse" downloads -o other.jsonl; echo $?
SPMV_BENCH=/nowhere/spmv-bench "$ROOT/scripts/bench-suitesparse" downloads; echo $?
"$ROOT/scripts/bench-suitesparse" nowhere; echo $?
"$ROOT/scripts/bench-suitesparse"; echo $?
