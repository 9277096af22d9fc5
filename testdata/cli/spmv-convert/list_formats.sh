#!/bin/bash
# --list-formats names what is read and written.
spmv-convert --list-formats | grep -cE '^(mtx|binary|coo|csr|csc|ell|hyb|jds) '
spmv-convert --list-formats --json - >formats.json && "$ROOT/scripts/check-json" formats.json
