#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-pagerank -h
test "$(spmv-pagerank --help | wc -L)" -le 80
