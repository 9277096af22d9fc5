#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-bench -h
test "$(spmv-bench --help | wc -L)" -le 80
