# Both ends can be pipes; the format comes from the content.
cat "$TESTDATA/good/worked.mtx" | spmv-convert - --to csr - | spmv-convert - --transpose --to ell - |
    spmv-convert - --to mtx --transpose
