#!/bin/bash
# Two kinds of nodes are no graph, also where there are as many of either.
printf '%% bip\n1 2\n2 2\n1 1\n' >both.tsv
spmv-pagerank both.tsv; echo $?
spmv-convert both.tsv --undirected --to el; echo $?
spmv-convert both.tsv --to mtx | tail -n 3
