#!/bin/bash
# Without arguments the help goes to standard error.
spmv-spgemm
