#!/bin/bash
# Microseconds are written as the locale can; columns stand below each other, and programs see none of it.
cat >r.jsonl <<'END'
{"matrix":{"file":"a.mtx","name":"a","rows":10,"cols":10,"nnz":20,"row_length":{"min":1,"mean":2,"max":3}},"kernel":"cpu-csr","precision":"f64","device":{"kind":"cpu","name":"Test CPU"},"time_s":{"samples":[1e-5],"min":1e-5,"median":1e-5,"mean":1e-5,"max":1e-5,"noise":0},"theoretical_bytes_per_s":2e10,"gflops":0.004,"setup_s":2e-6}
{"matrix":{"file":"a.mtx","name":"a","rows":10,"cols":10,"nnz":20,"row_length":{"min":1,"mean":2,"max":3}},"kernel":"cpu-ell","precision":"f64","device":{"kind":"cpu","name":"Test CPU"},"time_s":{"samples":[2e-3],"min":2e-3,"median":2e-3,"mean":2e-3,"max":2e-3,"noise":0},"theoretical_bytes_per_s":2e10,"gflops":2e-5,"setup_s":3}
END
LC_ALL=C.UTF-8 spmv-bench --results r.jsonl
LC_ALL=C.UTF-8 spmv-bench --compare r.jsonl r.jsonl
LC_ALL=C.UTF-8 spmv-bench --results r.jsonl --summary
for format in csv jsonl; do
    spmv-bench --results r.jsonl --format $format >plain
    LC_ALL=C.UTF-8 spmv-bench --results r.jsonl --format $format | cmp - plain
done
