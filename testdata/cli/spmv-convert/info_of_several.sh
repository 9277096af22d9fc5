# --info takes several files and standard input.
spmv-convert "$TESTDATA/good/worked.mtx" A.csr
spmv-convert --info - A.csr <A.csr | grep -v '^ '
spmv-convert --info A.csr nowhere.mtx >/dev/null
