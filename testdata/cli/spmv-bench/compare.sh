#!/bin/bash
# Faster, slower and the same beyond noise; the verdicts were worked out by hand.
line() { # MATRIX KERNEL MEDIAN LOW HIGH
    printf '{"schema":"spmv/1","tool":"spmv-bench","matrix":{"file":"%s","name":"%s"},"kernel":"%s","precision":"f64","device":{"kind":"cpu"},"time_s":{"median":%s,"median_low":%s,"median_high":%s}%s}\n' \
        "$1" "$1" "$2" "$3" "$4" "$5" "${6-,\"verify\":{\"pass\":true\}}"
}
failed() { printf '{"matrix":{"file":"%s","name":"%s"},"kernel":"%s","precision":"f64","failure":{"status":"SPMV_ERROR_%s","message":"why"}}\n' "$1" "$1" "$2" "${3-CUDA_MEMCPY}"; }
{
    line slower cpu-csr 1e-3 0.99e-3 1.01e-3
    line noisy cpu-csr 1e-3 0.8e-3 1.3e-3
    line little cpu-csr 1e-3 0.999e-3 1.001e-3
    line faster cpu-csr 2e-3 1.9e-3 2.1e-3
    line gone cpu-csr 1e-3 1e-3 1e-3
    line breaks cpu-csr 1e-3 1e-3 1e-3
    line believed cpu-csr 2e-3 1.9e-3 2.1e-3
    line distorted cpu-csr 1e-3 1e-3 1e-3
    failed mended cpu-csr
    failed never cpu-csr
    failed padded cpu-ell UNSUPPORTED
    failed large cpu-ell OUT_OF_MEMORY
} >old.jsonl
{
    line slower cpu-csr 1.1e-3 1.09e-3 1.11e-3
    line noisy cpu-csr 1.4e-3 1.2e-3 1.5e-3
    line little cpu-csr 1.02e-3 1.019e-3 1.021e-3
    line faster cpu-csr 1e-3 0.9e-3 1.1e-3
    failed breaks cpu-csr
    line believed cpu-csr 1e-3 1e-3 1e-3 ''
    line distorted cpu-csr 1e-3 1e-3 1e-3 ',"verify":{"pass":false}'
    line mended cpu-csr 5e-7 5e-7 5e-7
    failed never cpu-csr
    failed padded cpu-ell UNSUPPORTED
    failed large cpu-ell CUDA_MEMCPY
    line slower cpu-ell 1e-3 1e-3 1e-3
} >new.jsonl
spmv-bench --compare old.jsonl new.jsonl; echo $?
spmv-bench --compare old.jsonl old.jsonl | tail -n 1; echo "${PIPESTATUS[0]}"
grep -vE 'breaks|distorted|gone|never|large' old.jsonl >a && grep -vE 'breaks|distorted|never|large' new.jsonl >b
spmv-bench --compare a b --threshold 20 | tail -n 1; echo "${PIPESTATUS[0]}"
spmv-bench --compare a b --threshold 1 | grep little
spmv-bench --compare a; echo $?
spmv-bench --compare a missing; echo $?
echo '{"kernel": 3' >c && spmv-bench --compare a c; echo $?
printf '{"matrix":{"file":"a\0b"}}\n' >n && spmv-bench --results n; echo $?
printf '{"matrix":{"file":"x"}}\n[1, 2]\n' >d && spmv-bench --compare a d; echo $?
# A record that contradicts itself, or is of another kind.
of_one() { printf '{"schema":"spmv/%s","tool":"spmv-bench","matrix":{"file":"x"},"kernel":%s,"time_s":{"median":%s,"median_low":1e-3,"median_high":2e-3}}\n' "$@"; }
of_one 1 '"k"' 1.5e-3 >e && spmv-bench --compare e e | tail -n 1
of_one 1 '"k"' 1 >f && spmv-bench --compare e f; echo $?
of_one 2 '"k"' 1.5e-3 >f && spmv-bench --compare e f; echo $?
of_one 1 5 1.5e-3 >f && spmv-bench --compare e f; echo $?
# Nothing is like everything.
: >empty.jsonl; printf '\n \n' >blank.jsonl
spmv-bench --compare empty.jsonl empty.jsonl; echo $?
spmv-bench --results blank.jsonl; echo $?
# A file whose last record breaks off is told from one that is something else.
{ line m cpu-csr 1 1 1 && line n cpu-csr 1 1 1; } | head -c -20 >torn.jsonl
spmv-bench --results torn.jsonl; echo $?
spmv-bench --results - <torn.jsonl; echo $?
printf '{"results":[\n {"kernel":"k"}, nonsense\n' >document.json
spmv-bench --results document.json; echo $?
# Changes of --threshold per cent and less are none, up or down; what less than six samples say is not known.
line m cpu-csr 100e-6 99e-6 101e-6 >hundred.jsonl
for median in 52 97.05 150; do
    line m cpu-csr ${median}e-6 ${median}e-6 ${median}e-6 >other.jsonl
    for threshold in 3 50 90; do
        spmv-bench --compare hundred.jsonl other.jsonl --threshold $threshold | sed -n 2p
    done
done
for count in 1 5 6; do
    samples=$(printf ',150e-6%.0s' $(seq $count))
    sed "s/\"median_low\"/\"samples\":[${samples#,}],&/" other.jsonl >few.jsonl
    spmv-bench --compare hundred.jsonl few.jsonl | sed -n 2p
done
# Rows of several ways say which.
for threads in 1 2; do sed "s/\"kind\":\"cpu\"/&,\"threads\":$threads/" hundred.jsonl; done >ways.jsonl
spmv-bench --compare ways.jsonl ways.jsonl
spmv-bench --compare ways.jsonl ways.jsonl --format markdown
