#!/bin/bash
# --resume measures what is missing, and takes up a file whose last line breaks off.
mkdir m && cp "$TESTDATA/good/worked.mtx" m/a.mtx && cp m/a.mtx m/b.mtx
run() { spmv-bench m --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only --format jsonl -o r.jsonl "$@"; }
names() { python3 -c "import json
for line in open('r.jsonl'): r = json.loads(line); print(r['matrix']['name'], r['kernel'])"; }
run -k cpu-csr && names
run -k cpu-csr; echo $?
cp r.jsonl before && run -k cpu-csr --resume && cmp before r.jsonl
run -k cpu-csr,cpu-jds --resume && names
echo whole: && head -n 2 r.jsonl | cmp - before && head -c -30 r.jsonl >torn && mv torn r.jsonl
run -k cpu-jds --resume && names
cp m/a.mtx m/c.mtx && run -k auto --resume && names | tail -n 1
sed -i 1s/^/nonsense/ r.jsonl && run --resume; echo $?
run --resume --format csv; echo $?
