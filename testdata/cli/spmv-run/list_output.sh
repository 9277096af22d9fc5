#!/bin/bash
# Lists go to standard output or into a record.
spmv-run --list-kernels -o F; echo $?
spmv-run --list-devices -o F; echo $?
ls
