#!/bin/bash
# A complex matrix whose values are rounded to single precision is right within what that does to them.
awk 'BEGIN {
    print "%%MatrixMarket matrix coordinate complex general\n9 9 81"
    for (k = 0; k < 81; k++) print int(k / 9) + 1, k % 9 + 1, 1 / (k + 3), -1 / (k * k + 7)
}' >A.mtx
for precision in f32 f64; do
    spmv-bench A.mtx -k cpu-csr,cpu-csell --device cpu --precision $precision --min-time 0 --min-samples 1 \
        --warm-only --format jsonl -o $precision.jsonl
    echo "$?, $(grep -c '"pass":true' $precision.jsonl) right"
done
