#!/bin/bash
# Matrix and record do not mix on standard output.
spmv-convert "$TESTDATA/good/worked.mtx" - --json -
