#!/bin/bash
# A measurement is known again by the content of its matrix and by where it was made, not by names.
mkdir -p a b dl && cp "$TESTDATA/good/worked.mtx" a/m.mtx
spmv-gen stencil5:12 -o b/m.mtx
cp a/m.mtx dl && cp a/m.mtx dl/n.mtx
run() { spmv-bench "$@" --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format jsonl; }
change() { sed "s|$1|$2|g" r.jsonl >"$3"; }

echo "== two matrices of one name"
run a b -o r.jsonl
spmv-bench --compare r.jsonl r.jsonl | tail -n 1; echo "${PIPESTATUS[0]}"
tac r.jsonl >t.jsonl && spmv-bench --compare r.jsonl t.jsonl | tail -n 1; echo "${PIPESTATUS[0]}"
head -n 1 r.jsonl >one.jsonl && spmv-bench --compare r.jsonl one.jsonl | awk '{ print $1, $NF }'; echo "${PIPESTATUS[0]}"
run a b -o r.jsonl --resume
spmv-bench --results r.jsonl | grep -c ' nonzeros,'

echo "== two files of one matrix"
run dl -o d.jsonl && cp d.jsonl before
run dl/ -o d.jsonl --resume && cmp d.jsonl before
run dl dl/ dl/m.mtx -o d.jsonl --resume && cmp d.jsonl before
run a/m.mtx -o d.jsonl --resume && cmp d.jsonl before
spmv-convert a/m.mtx other.csr && run other.csr -o d.jsonl --resume && cmp d.jsonl before
spmv-gen stencil5:11 -o dl/n.mtx --force && run dl -o d.jsonl --resume && wc -l <d.jsonl

echo "== other places"
for change in '"host":{"name":"[^"]*"/"host":{"name":"elsewhere"' '"kind":"cpu","name":"[^"]*"/"kind":"cpu","name":"Other"' \
    '"threads":1/"threads":3'; do
    change "${change%%/*}" "${change#*/}" moved.jsonl
    cp moved.jsonl p.jsonl && run a b -o p.jsonl --resume
    spmv-bench --compare r.jsonl moved.jsonl >out 2>err; echo $?
    sed -E 's/results of .*/results of .../' err; cat out
    spmv-bench --compare r.jsonl moved.jsonl --across | tail -n 1; echo "${PIPESTATUS[0]}"
done
run a b -o r.jsonl --resume --precision f32
spmv-bench --across a/m.mtx; echo $?

echo "== records without a checksum"
change ',"checksum":"[^"]*"' '' old.jsonl
cp old.jsonl p.jsonl && run a b -o p.jsonl --resume && cmp p.jsonl old.jsonl
spmv-bench --compare old.jsonl one.jsonl | tail -n 1
