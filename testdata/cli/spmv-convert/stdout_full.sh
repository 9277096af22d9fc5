#!/bin/bash
# A full disk is noticed.
spmv-convert "$TESTDATA/good/worked.mtx" - --to mtx >/dev/full
