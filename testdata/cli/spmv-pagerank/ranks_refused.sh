#!/bin/bash
# What several processes cannot do, and what is wrong with a graph, the first of them says, once.
has_ranks || exit 77
refuse() { # ARGUMENT...: status, and what the tool says
    on_ranks 3 spmv-pagerank "$@" 2>noise
    echo "$?"
    grep -E '^(spmv|Usage)' noise
}
spmv-gen dense --rows 4 -o A.csr
printf '0 1 -1\n1 0 2\n' >negative.el
refuse A.csr --acceleration extrapolation
refuse A.csr --sources 1,2
refuse A.csr --device 1
refuse nowhere.csr
refuse negative.el
refuse A.csr --unweighted -o nowhere/scores.txt
ls
