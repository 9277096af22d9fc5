#!/bin/bash
# On an emulated GPU: the bytes of the CPU, whatever is asked for.  Where C does not fit beside its
# inputs it comes in pieces; where these do not fit, --device auto warns and takes the CPU, and a GPU
# that was asked for is an error of memory.
command -v spmv-spgemm-emulated >/dev/null || exit 77
multiply() { spmv-spgemm-emulated "$@" 2>errors; status=$?; grep -v makecontext errors >&2; return $status; }
spmv-gen rmat:scale=11,seed=5 --values random -o A.csr
spmv-gen uniform --rows 2048 --cols 3000 --per-row 9 --values random -o B.mtx
for how in '' --boolean --drop-zeros '--top 3' '--mask M.csr' --transpose-a; do
    [ "$how" = '--mask M.csr' ] && spmv-spgemm A.csr B.mtx --boolean --top 20 -o M.csr
    # shellcheck disable=SC2086 # several words
    multiply A.csr B.mtx $how --device gpu -o gpu.mtx --force &&
        spmv-spgemm A.csr B.mtx $how --device cpu | cmp - gpu.mtx
    # shellcheck disable=SC2086
    EMULATED_MEMORY=2500000 multiply A.csr B.mtx $how --device gpu | cmp - gpu.mtx
done
multiply A.csr B.mtx --device gpu --json record.json -o C.csr
python3 -c 'import json; print(json.load(open("record.json"))["device"]["name"])'
multiply A.csr A.csr --device gpu --serial
echo $?
EMULATED_MEMORY=100000 multiply A.csr B.mtx --device gpu
echo $?
spmv-gen uniform --rows 1200 --per-row 900 --values none --to csr -o large.csr
EMULATED_MEMORY=100000 multiply large.csr --boolean | cmp - <(spmv-spgemm large.csr --boolean)
