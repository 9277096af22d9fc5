#!/bin/bash
# An interrupt leaves the kernel at hand and writes what was measured before it, in every format; where
# nothing was measured nothing old gives way.  A second one ends at once.
spmv-gen stencil5:20 -o A.csr

# interrupt SIGNAL TIMES MOMENT OPTION...: so often, once the log tells of this moment.
interrupt() {
    local signal=$1 times=$2 moment=$3
    shift 3
    rm -f log
    env --default-signal spmv-bench "$@" --kernel cpu-csr,cpu-coo --warm-only --min-time 1 --progress=plain \
        >out 2>log <pipe &
    while kill -0 $! && ! grep -q "$moment \.\.\." log; do sleep 0.02; done 2>/dev/null
    for ((; times > 0; times--)); do
        { kill "-$signal" $! && kill "-$signal" $!; } 2>/dev/null # as timeout(1) does
        sleep 0.6
    done
    wait $! 2>/dev/null
    echo "$signal: $?, said $(grep -c interrupted log) $(grep -o 'results so far\|no result yet' log)"
}
mkfifo pipe
sleep 100 >pipe &
silent=$!
for suffix in csv json jsonl; do
    interrupt INT 1 'with cpu-coo' A.csr -o r.$suffix
    [ $suffix = csv ] || spmv-bench --results r.$suffix --format csv >r.csv --force
    cut -d, -f 6 r.csv
done
interrupt TERM 1 'with cpu-coo' A.csr && grep -o '^cpu-...' out
cp r.csv old.csv
interrupt INT 1 'with cpu-csr' A.csr --force -o r.csv && cmp r.csv old.csv
interrupt INT 2 'read <stdin>' -
kill $silent
# A matrix that was being read is not one that cannot be read.
mkfifo late.mtx
sleep 100 >late.mtx &
late=$!
env --default-signal spmv-bench A.csr late.mtx --kernel cpu-csr --warm-only --min-time 0.01 -o late.csv --progress=plain 2>log &
while kill -0 $! && ! grep -q 'read late.mtx' log; do sleep 0.02; done 2>/dev/null
kill -TERM $!
sleep 0.6
kill $late
wait $! 2>/dev/null
cut -d, -f 1,6 late.csv
grep -o 'results so far' log
spmv-bench A.csr --kernel cpu-csr,cpu-coo --warm-only --min-time 0.01 -o r.jsonl --resume
