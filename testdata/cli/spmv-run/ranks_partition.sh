#!/bin/bash
# Rows go to the processes that a file names, and y keeps the bits of one process; what is wrong with the
# file is said with its place, and ends all.
has_ranks || exit 77
run() { # P COMMAND...: status, and what the tool says
    timeout 60 bash -c 'on_ranks "$@"' - "$@" 2>noise
    echo "status $?"
    grep '^spmv-run: ' noise
}
numbers() { # ROWS P: by a hash, so that rows of a part lie anywhere
    awk -v n="$1" -v p="$2" 'BEGIN { for (s = 7; n > 0; n--) { s = s * 16807 % 2147483647; print s % p } }'
}
spmv-gen rmat --scale 12 --values random -o A.csr
spmv-gen uniform --rows 900 --cols 700 --per-row 6 --values random -o B.mtx
spmv-run A.csr -x random -o y.npy
spmv-run A.csr -x random --alpha 2 --beta -0.5 -y y.npy -k cpu-csr -o one.mtx
spmv-run B.mtx -x random -k cpu-csr -o two.mtx
for p in 2 5; do
    numbers 4096 $p >$p.part
    run $p spmv-run A.csr -x random --alpha 2 --beta -0.5 -y y.npy --partition $p.part --force -o many.mtx
    cmp one.mtx many.mtx && echo "$p: the same"
done
numbers 900 3 | gzip >B.part.gz && numbers 900 2 >B.part
run 3 spmv-run B.mtx -x random --partition B.part.gz --force -o many.mtx
cmp two.mtx many.mtx && echo "3: the same"

# What is predicted is what they have.
counts() { grep -o '"ranks":\[.*\]' "$1" | grep -o '"\(rank\|rows\|nnz\|received\|sent\|neighbours\|receivers\)":[0-9]*'; }
run 2 spmv-run B.mtx --partition B.part --json run.json -q -o /dev/null
spmv-bench B.mtx --model 2,1us,1GB,1GB --partition B.part --format jsonl >model.json
"$ROOT/scripts/check-json" run.json model.json && tr -d ' \n\t' <run.json >run.flat
cmp <(counts run.flat) <(counts model.json) && grep -o '"partition":"file"' run.flat model.json

# Some have no rows; the last product is verified, of rows of the transpose and of several vectors.
sed 's/[124]/3/' 5.part >few.part
run 4 spmv-run A.csr -x random --transpose --vectors 2 --partition few.part --verify --repeat 2 -o t.npy 2>&1 |
    grep -o '^status 0\|: verified\|the largest part is [0-9.]*'

# Four squares of a grid exchange 4 edges' worth of elements, four strips 6.
spmv-gen stencil5 --grid 40 -o grid.csr
awk 'BEGIN { for (i = 0; i < 1600; i++) print 2 * (i >= 800) + (i % 40 >= 20) }' >squares
for by in squares nnz; do
    spmv-bench grid.csr --model 4,1us,1GB,1GB --partition $by --format jsonl |
        grep -o '"received":[0-9]*' | awk -F: -v by=$by '{ all += $2 } END { print by ": " all " elements" }'
done
on_ranks 2 spmv-bench B.mtx --partition B.part --min-time 0.01 --min-samples 5 -q --format jsonl 2>noise >bench.jsonl
grep -o '"pass":true\|"partition":"file"' bench.jsonl

# What is wrong.
head -5 squares >short
for file in squares short nowhere; do run 2 spmv-run grid.csr --partition $file -o wrong.mtx; done
run 2 spmv-run - --partition - -o wrong.mtx
run 2 spmv-run grid.csr --partition squares --force -o squares
run 2 spmv-bench grid.csr --partition squares --min-time 0 --force -o squares 2>&1; grep '^spmv-bench: ' noise; wc -l <squares
run 2 spmv-run A.csr --partition squares --device gpu -o wrong.mtx
spmv-run A.csr --partition squares --device all -o wrong.mtx 2>&1 | head -1
spmv-bench A.csr --model 2,1us,1GB --partition nonzeros 2>&1 | head -1
spmv-bench A.csr --model 2,1us,1GB --partition 5.part 2>&1 | grep -v Usage
spmv-run A.csr --partition short --force -o one.mtx
ls -- *.mtx
