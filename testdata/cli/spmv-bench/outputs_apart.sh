#!/bin/bash
# Two outputs are two files, however they are spelt; what is no file may be named again.
cp "$TESTDATA/graphs/karate.mtx" A.mtx
mkdir d && ln -s d e && ln -s z.mtx soft.mtx && echo old >z.mtx
run() { spmv-bench A.mtx --force -k cpu-csr --min-time 0 "$@"; echo $?; }
run --format table -o ./z.mtx --json z.mtx
run -o d/new --json e/new
run --format table -o z.mtx --json soft.mtx
run --json ./z.mtx >>z.mtx
cat z.mtx
run -o /dev/null --json /dev/null
run --format table -o d/z.mtx --json z.json
ls . d
