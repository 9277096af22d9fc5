#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-spgemm -h
test "$(spmv-spgemm --help | wc -L)" -le 80
