#!/bin/bash
# The two heads of the club, then the others: known from many programs.
spmv-pagerank "$TESTDATA/graphs/karate.mtx" --top 5 --tolerance 1e-12
