#!/bin/bash
# Every number of threads with every precision and number of vectors, in one file that can be continued.
mkdir m && cp "$TESTDATA/good/worked.mtx" m/a.mtx && spmv-gen stencil5:5 -o m/b.mtx
run() { spmv-bench m --device cpu -k cpu-csr,cpu-jds --min-time 0 --min-samples 1 --warm-only -o r.jsonl "$@"; echo $?; }
ways() { python3 -c "import json
for line in open('r.jsonl'):
    r = json.loads(line)
    print(r['matrix']['name'], r['kernel'], r['precision'], r['vectors'], r['device']['threads'])"; }
run --threads 1,2 --precision f32,f64 --vectors 1,3
ways
echo "== continued"
run --threads 1,2 --precision f32,f64 --vectors 1,3 --resume
run --threads 2 --vectors 1,3,1,4 --resume
ways | tail -n 4
spmv-bench --results r.jsonl | grep -E '^(a|b), ' | sort | uniq -c
spmv-bench --results r.jsonl --summary --format csv | cut -d , -f 1-4,10,11,14 | sed -n 1,5p | cut -d , -f 1,2,3,5-7 | sort # those of one way come by their times
spmv-bench --compare r.jsonl r.jsonl | tail -n 1
echo "== filters"
rm r.jsonl && run --max-nnz 5 --threads 1,2 && ways
rm r.jsonl && run --max-nnz 4 --dry-run
echo "== refused"
for words in '--threads 1,x' '--threads' '--precision f32,f16' '--vectors 0,1' '--op spgemm --vectors 1,2' '--max-nnz 0'; do
    # shellcheck disable=SC2086 # several words
    spmv-bench $words m; echo $?
done
