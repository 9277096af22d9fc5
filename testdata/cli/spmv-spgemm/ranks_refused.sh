#!/bin/bash
# What several processes cannot do is refused in one line, by the first of them.
has_ranks || exit 77
refuse() { # ARGUMENT...: status, and what the tool says
    on_ranks 3 spmv-spgemm "$@" 2>noise
    echo "$?"
    grep -E '^(spmv|Usage)' noise
}
spmv-gen dense --rows 4 -o A.csr
refuse A.csr --estimate
refuse A.csr --json product.json -o C.csr
refuse A.csr --device gpu
refuse A.csr --device 0
refuse A.csr A.csr A.csr
refuse A.csr --no-such-option
refuse A.csr -o C.unknown
ls
