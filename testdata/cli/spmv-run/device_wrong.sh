#!/bin/bash
# Devices and kernels that do not fit are misuse.
spmv-run "$TESTDATA/good/worked.mtx" --device tpu; echo $?
spmv-run "$TESTDATA/good/worked.mtx" --device cpu -k csr-merge; echo $?
