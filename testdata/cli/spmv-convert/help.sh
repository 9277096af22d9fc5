#!/bin/bash
# -h prints the help, which fits 80 columns.
spmv-convert -h
test "$(spmv-convert --help | wc -L)" -le 80
