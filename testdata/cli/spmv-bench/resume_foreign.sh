#!/bin/bash
# --resume continues lines of results and touches no other file; --force keeps old results until there are new ones.
cp "$TESTDATA/good/worked.mtx" m.mtx
run() { spmv-bench --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format jsonl "$@"; }
run m.mtx -o r.jsonl && run m.mtx --format json -o r.json && spmv-run m.mtx --json run.json -o y.mtx
kept() { # NAME: what is there stays, byte by byte
    cp "$1" before
    run m.mtx -o "$1" --resume
    echo "$?"
    cmp before "$1"
}
printf 'precious notes' >notes && kept notes
printf 'two\nlines' >lines && kept lines
printf '{' >brace && kept brace
printf '{"schema":"spmv/1"' >half && kept half
printf '{"a": 1}\n' >other.json && kept other.json
kept r.json
kept run.json
(cat r.jsonl && printf 'and notes') >notes.jsonl && kept notes.jsonl
(cat r.jsonl && printf '{"schema":"spmv/2"') >later.jsonl && kept later.jsonl
(tr -d '\n' <r.jsonl && cat r.jsonl) >joined.jsonl && kept joined.jsonl
(cat r.jsonl && printf '\0\0\0') >zeros.jsonl && kept zeros.jsonl
(cat r.jsonl && printf '{"schema":\0') >zero.jsonl && kept zero.jsonl
printf '{"schema":"spmv/1","tool":"spmv-bench","x":\0\0notes' >nul.jsonl && kept nul.jsonl
kept m.mtx

echo "== cut anywhere"
cat r.jsonl r.jsonl >two.jsonl
length=$(wc -c <r.jsonl)
for cut in 1 9 30 100 $((length - 2)); do
    head -c $((length + cut)) two.jsonl >cut.jsonl
    run m.mtx --generate stencil5:3 -o cut.jsonl --resume 2>/dev/null
    wc -l <cut.jsonl && head -n 1 cut.jsonl | cmp - r.jsonl
done
head -c 200 r.jsonl >cut.jsonl && run m.mtx -o cut.jsonl --resume && wc -l <cut.jsonl

echo "== --force"
cp r.jsonl old.jsonl
mkdir empty && run empty -o old.jsonl --force && cmp old.jsonl r.jsonl
run empty -o none.jsonl && wc -c <none.jsonl
slow() { timeout 1 spmv-bench "$@" --generate stencil5:20 --min-time 1000 --timeout 1000 --device cpu --threads 1 -k cpu-csr --format jsonl; echo $?; }
slow -o old.jsonl --force; cmp old.jsonl r.jsonl
slow m.mtx -o old.jsonl --force; cmp old.jsonl r.jsonl; find . -name '.?*'
run --generate stencil5:3 --generate stencil5:4 m.mtx -o old.jsonl --force && wc -l <old.jsonl
