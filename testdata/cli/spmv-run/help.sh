#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-run -h
test "$(spmv-run --help | wc -L)" -le 80
