#!/bin/bash
# Scores that have not converged are written, with a warning and status 1.
spmv-pagerank "$TESTDATA/graphs/karate.mtx" -n 3 --top 1 -o scores.txt; echo $?
wc -l <scores.txt
spmv-pagerank "$TESTDATA/graphs/karate.mtx" -n 3 -q -t 1e-3 >/dev/null; echo $?
