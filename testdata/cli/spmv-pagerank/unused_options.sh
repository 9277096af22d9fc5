#!/bin/bash
# An option that has no effect on this graph is a warning, one that never has is refused.
printf '1 2\n2 1\n1 2\n' >A.el
printf '1 2 3\n2 1 4\n' >W.el
spmv-convert -q A.el A.csr
spmv-convert -q A.el A.mtx
for option in '--index-base 1' --all-ids --count-repeated; do
    for file in A.el W.el A.csr A.mtx; do
        # shellcheck disable=SC2086 # several words
        spmv-pagerank $option $file >/dev/null
    done
done
for words in '--seed 3' '--count-repeated --simple' '--count-repeated --unweighted' '--count-repeated --as gap' --history '-o y.foo' '-o y.jsn'; do
    # shellcheck disable=SC2086 # several words
    spmv-pagerank A.el $words
    echo $?
done
spmv-pagerank -q A.el --top 1 --sort score >quiet; spmv-pagerank A.el --top 1 --sort score | cmp - quiet; rm quiet
spmv-pagerank -q A.el --top 1 --sort score -o scores >/dev/null; rm scores
printf '5 6 2\n1 1 1\n5 6 2\n' >B.dat
spmv-pagerank B.dat; echo $?
spmv-pagerank --from el -q B.dat | cut -d ' ' -f 1
ls
