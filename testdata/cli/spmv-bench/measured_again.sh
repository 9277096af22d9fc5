#!/bin/bash
# A kernel that was measured again on a matrix counts once: the later time, unless only the earlier one was
# verified.  Its line in a profile has a step for each matrix.
line() { # MATRIX KERNEL MEDIAN PASS
    printf '{"schema":"spmv/1","tool":"spmv-bench","matrix":{"file":"%s","name":"%s","rows":9,"cols":9,"nnz":9,"format":"csr"},"kernel":"%s","precision":"f64","device":{"kind":"cpu"},"time_s":{"median":%s}%s}\n' \
        "$1" "$1" "$2" "$3" "${4:+,\"verify\":{\"pass\":true\}}"
}
{
    line one cpu-csr 4e-6
    line one cpu-csr 1e-6 verified
    line one cpu-ell 2e-6 verified
    line one cpu-ell 9e-6
    line two cpu-csr 1e-6 verified
    line two cpu-ell 5e-6 verified
    line two cpu-ell 8e-6 verified
} >again.jsonl
spmv-bench --results again.jsonl --summary --format csv | cut -d , -f 1-6
spmv-bench --results again.jsonl --plot pictures >/dev/null
grep -o '<path class="l[^>]*d="M[^>]*V[^>]*' pictures/profile-cpu.svg | tr -cd 'V\n' | awk '{ print length($0) " steps" }'
