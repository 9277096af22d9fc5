#!/bin/bash
# Without arguments the beginning of the help goes to standard error.
spmv-gen
