#!/bin/bash
# The list goes to standard output or into a record.
spmv-gen --list-kinds -o F; echo $?
ls
