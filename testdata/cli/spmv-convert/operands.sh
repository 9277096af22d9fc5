#!/bin/bash
# One input, at most one output, one thing at a time.
spmv-convert --transpose; echo $?
spmv-convert a b c; echo $?
spmv-convert --check; echo $?
spmv-convert --check --info a; echo $?
