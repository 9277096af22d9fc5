#!/bin/bash
# Both ends can be pipes; the format comes from the content.
spmv-convert - --to csr - <"$TESTDATA/good/worked.mtx" | spmv-convert - --transpose --to ell - |
    spmv-convert - --to mtx --transpose
