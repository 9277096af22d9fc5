#!/bin/bash
# The list goes to standard output or into a record.
spmv-gen --list-kinds -o F; echo $?
spmv-gen --list-kinds rmat; echo $?
spmv-gen --list-kinds --rows 5; echo $?
ls
