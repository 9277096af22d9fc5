#!/bin/bash
# A standard input that is closed cannot be read.
spmv-convert - A.csr <&-
