#!/bin/bash
# METIS shares out rows: processes exchange a fraction of what neighbouring rows of a shuffled grid would, y
# keeps the bits of one process, and what is predicted is what they have.
has_ranks && spmv-run -V -v | grep -q ' libraries:.* metis\>' || exit 77
run() { # P COMMAND...: status, and what the tool says
    timeout 60 bash -c 'on_ranks "$@"' - "$@" 2>noise
    echo "status $?"
    grep '^spmv-[a-z]*: ' noise
}
spmv-gen stencil5 --grid 50 -o grid.mtx
awk '/^%/ { print; next } !n { n = $1; print; next } { $1 = $1 * 1301 % n + 1; $2 = $2 * 1301 % n + 1; print }' \
    grid.mtx >A.mtx
spmv-run A.mtx -x random -k cpu-csr -o one.mtx
run 4 spmv-run A.mtx -x random --partition metis --verify --json run.json -q -o many.mtx
cmp one.mtx many.mtx && echo 'the same'

counts() { grep -o '"ranks":\[.*\]' "$1" | grep -o '"\(rank\|rows\|nnz\|received\|sent\|neighbours\|receivers\)":[0-9]*'; }
for by in nnz metis; do spmv-bench A.mtx --model 4,1us,1GB,1GB --partition $by --format jsonl >$by.json; done
"$ROOT/scripts/check-json" run.json metis.json && tr -d ' \n\t' <run.json >run.flat
cmp <(counts run.flat) <(counts metis.json) && grep -o '"partition":"metis"' run.flat metis.json
received() { counts "$1" | awk -F: '/received/ { all += $2 } END { print all }'; }
[ $(($(received metis.json) * 10)) -lt "$(received nnz.json)" ] && echo 'less than a tenth is exchanged'
on_ranks 2 spmv-bench A.mtx --partition metis --min-time 0.01 --min-samples 5 -q --format jsonl 2>noise >bench.jsonl
grep -o '"pass":true\|"partition":"metis"' bench.jsonl

# Rows that weigh more than a share: METIS, which would complain, leaves the standard output alone.
spmv-gen skew --rows 300 -o skew.mtx
spmv-run skew.mtx -x random -k cpu-csr --force -o one.mtx
timeout 60 bash -c 'on_ranks "$@"' - 5 spmv-run skew.mtx -x random --partition metis -o - 2>noise | cmp one.mtx - && echo 'the same'

# What is no graph, and is for others.
spmv-gen uniform --rows 9 --cols 7 --per-row 2 -o B.mtx
run 2 spmv-run B.mtx --partition metis -o wrong.mtx
spmv-bench B.mtx --model 2,1us,1GB,1GB --partition metis
run 2 spmv-run A.mtx --partition metis --device gpu -o wrong.mtx
ls -- *.mtx
