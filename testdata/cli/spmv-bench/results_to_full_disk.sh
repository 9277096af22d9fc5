#!/bin/bash
# Results that cannot be written are an error, also where the buffer was found full on the way.
[ -c /dev/full ] || exit 77
cp "$TESTDATA/good/worked.mtx" a.mtx
for format in jsonl json csv markdown; do
    spmv-bench a.mtx -k cpu-csr,cpu-ell,cpu-coo,cpu-jds --min-time 0 --min-samples 9 --warm-only --format $format -o /dev/full
    echo "$format $?"
done
