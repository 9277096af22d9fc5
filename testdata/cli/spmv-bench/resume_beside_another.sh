#!/bin/bash
# What another run appends while one that resumes the same file reads its matrix stays there; a file that is
# gone by then is not begun anew.
cp "$TESTDATA/good/worked.mtx" a.mtx
run() { spmv-bench "$1" -k cpu-csr --threads 1 --min-time 0 --min-samples 1 --warm-only --format jsonl -o r.jsonl --resume; }
run a.mtx
mkfifo p.mtx
give_matrix() {
    { echo '%%MatrixMarket matrix coordinate pattern general'; echo 2 2 1; echo 1 2; } >&3
    exec 3>&-
}
run p.mtx &
exec 3>p.mtx # it has read the results, and waits for the matrix
cat r.jsonl r.jsonl >twice && cp r.jsonl one && cat twice one >r.jsonl
give_matrix
wait $! && wc -l <r.jsonl && head -n 3 r.jsonl | cmp - <(cat twice one)

cp one r.jsonl
run p.mtx &
exec 3>p.mtx
rm r.jsonl
give_matrix
wait $!; echo $?
ls
# Two that begin a file: who comes second goes on in it.
run p.mtx &
exec 3>p.mtx
run a.mtx
give_matrix
wait $!; echo $? && wc -l <r.jsonl && head -n 1 r.jsonl | grep -c '"name":"a"'
