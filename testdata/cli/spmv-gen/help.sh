#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-gen -h
test "$(spmv-gen --help | wc -L)" -le 80
