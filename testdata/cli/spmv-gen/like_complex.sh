#!/bin/bash
# A twin of a complex matrix has complex values.
spmv-gen --like "$TESTDATA/good/hermitian.mtx" --values ones
