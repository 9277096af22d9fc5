#!/bin/bash
# Outputs appear whole, are not replaced without --force, and are never an input.
cp "$TESTDATA/good/worked.mtx" a.mtx
run() { spmv-bench a.mtx --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only "$@"; echo $?; }
for format in table json jsonl csv markdown; do run --format $format -o out.$format; test -s out.$format || echo "no $format"; done
run --format csv -o out.csv
run --format csv -o out.csv --force
# The suffix says which format; --format overrules it.
for suffix in txt json jsonl csv md; do run -o by.$suffix && grep -om 1 -e ^cpu-csr -e '^{"schema"' -e ^matrix,file -e '^| kernel' by.$suffix; done
run -o by.xml
run -o by.xml --format csv && head -n 1 by.xml | cut -c 1-11
# A record on standard output takes the place of the results, which go nowhere else.
run --json - | head -c 18; echo
run --format jsonl -o out.jsonl --force; wc -l <out.jsonl
run --format table -o a.mtx --force
run --json a.mtx --force
run --format json -o /dev/full
# What lies nowhere need not be safe there.
run --format jsonl -o /dev/null
mkfifo pipe && { wc -l <pipe >lines & } && run --format jsonl -o pipe && wait && cat lines
run --format jsonl -o nowhere/r.jsonl
spmv-bench - --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv <a.mtx | cut -d , -f 2,5
# What a folder holds, and earlier results, are inputs, too.
mkdir d && cp a.mtx d && cp out.jsonl r.jsonl
folder() { spmv-bench d --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only -q "$@"; echo $?; }
folder --format table -o d/a.mtx --force
folder --json ./d/../d/a.mtx -o x --force
cmp a.mtx d/a.mtx
earlier() { spmv-bench --results r.jsonl -q "$@"; echo $?; }
earlier --json r.jsonl -o x --force
earlier --json out.csv -o x
earlier -o ./r.jsonl --force
cmp out.jsonl r.jsonl; test ! -e x
# What could not be written in the end is refused before anything is measured.
run --format csv -o p.csv --plot new/sub
run --format csv -o p.csv --json new/sub.json
run --format csv -o new/p.csv --json p.json
run --format csv -o p.csv --plot a.mtx/sub
ls p.* new 2>/dev/null
run --format csv -o p.csv --plot new/ && ls new
