#!/bin/bash
# Two kinds of nodes are no graph for several processes, either.
has_ranks || exit 77
printf '%% bip\n1 2\n2 2\n1 1\n' >both.tsv
on_ranks 2 spmv-pagerank both.tsv 2>noise
grep '^spmv' noise
