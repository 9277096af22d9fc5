#!/bin/bash
# Each edge both ways, a loop once; a graph that says so itself needs no option.
printf '0 1 5\n2 2 7\n' | spmv-convert --undirected - - --to el
printf '%% sym\n1 2 5\n3 3 7\n' | spmv-convert - - --to el
printf '0 1 5\n2 2 7\n' | spmv-convert --undirected --symmetric keep - - --to mtx
