#!/bin/bash
# Hand-written results in every format.
results() {
    cat <<'END'
{"matrix":{"file":"m/web|1.mtx","name":"web|1.mtx","rows":1000,"cols":2000,"nnz":1234567,"format":"csr","row_length":{"min":0,"mean":1234.567,"max":2000}},"kernel":"cpu-csr","precision":"f64","device":{"kind":"cpu","name":"Test CPU"},"time_s":{"samples":[1e-3,1e-3,1e-3],"min":0.001,"median":0.001,"mean":0.001,"max":0.001,"stddev":0,"p5":0.001,"p95":0.001,"median_low":0.001,"median_high":0.001,"noise":0,"fence":0.001,"outliers":0},"gflops":2.469134,"useful_bytes":14842808,"moved_bytes":19776808,"bandwidth_bytes_per_s":14842808000,"theoretical_bytes_per_s":2e10,"efficiency":0.7421404,"setup_s":1e-5,"verify":{"max_abs_error":0,"max_rel_error":1e-16,"pass":true},"ceilings":{"stream_bytes_per_s":2e10,"gather_per_s":5e8},"break_even":{"kernel":"cpu-csr","multiplications":0},"best_peer":{"kernel":"graphblas:csr","ratio":2.5}}
{"matrix":{"file":"m/web|1.mtx","name":"web|1.mtx","rows":1000,"cols":2000,"nnz":1234567,"format":"jds","row_length":{"min":0,"mean":1234.567,"max":2000}},"kernel":"cpu-jds","precision":"f64","device":{"kind":"cpu","name":"Test CPU"},"time_s":{"samples":[5e-4,5e-4],"min":0.0005,"median":0.0005,"mean":0.0005,"max":0.0005,"stddev":0,"p5":0.0005,"p95":0.0005,"median_low":0.0004,"median_high":0.0006,"noise":0.2,"fence":0.0005,"outliers":1},"gflops":4.938268,"useful_bytes":14842808,"moved_bytes":19776808,"bandwidth_bytes_per_s":29685616000,"theoretical_bytes_per_s":2e10,"efficiency":1.4842808,"setup_s":2e-2,"verify":{"max_abs_error":1,"max_rel_error":0.5,"wrong":3,"worst_row":16,"pass":false},"cold":{"time_s":{"median":2e-3},"gflops":1.234567,"bandwidth_bytes_per_s":7421404000,"efficiency":0.3710702},"break_even":{"kernel":"cpu-csr","multiplications":40},"graph":{"time_s":{"median":4.5e-6}},"best_peer":{"kernel":"graphblas:csr","ratio":5}}
{"matrix":{"file":"m/web|1.mtx","name":"web|1.mtx","rows":1000,"cols":2000,"nnz":1234567,"format":"csr","row_length":{"min":0,"mean":1234.567,"max":2000}},"kernel":"graphblas:csr","precision":"f64","device":{"kind":"cpu","name":"Test CPU"},"time_s":{"samples":[25e-4],"min":0.0025,"median":0.0025,"mean":0.0025,"max":0.0025,"stddev":0,"p5":0.0025,"p95":0.0025,"median_low":0.0025,"median_high":0.0025,"noise":0,"fence":0.0025,"outliers":0},"gflops":0.9876536,"useful_bytes":14842808,"moved_bytes":19776808,"bandwidth_bytes_per_s":5937123200,"theoretical_bytes_per_s":2e10,"efficiency":0.29685616,"setup_s":3e-2,"best_peer":{"kernel":"graphblas:csr","ratio":1}}
{"matrix":{"file":"m/web|1.mtx","name":"web|1.mtx","rows":1000,"cols":2000,"nnz":1234567,"format":"ell","row_length":{"min":0,"mean":1234.567,"max":2000}},"kernel":"cpu-ell","precision":"f64","failure":{"status":"SPMV_ERROR_UNSUPPORTED","message":"too much, \"far\" too much"}}
{"matrix":{"file":"broken.mtx","name":"broken.mtx"},"failure":{"status":"SPMV_ERROR_FILE_IO","message":"No such file"}}
END
}
results >r.jsonl
for format in table csv markdown; do
    echo "== $format"
    spmv-bench --results r.jsonl --format $format
done
spmv-bench --results r.jsonl --format jsonl -o again.jsonl && spmv-bench --results again.jsonl --format jsonl | cmp - again.jsonl
spmv-bench --results r.jsonl --format json -o r.json && spmv-bench --results r.json --format jsonl | cmp - again.jsonl
