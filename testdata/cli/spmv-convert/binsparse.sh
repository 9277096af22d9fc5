#!/bin/bash
# Binsparse files are written by their suffix, and read only when that is asked for.
spmv-convert --list-formats | grep -q '^binsparse *rw' || exit 77
for format in csr csc coo; do
    spmv-convert "$TESTDATA/good/worked.mtx" a.$format && spmv-convert a.$format $format.h5
    spmv-convert --from binsparse $format.h5 b.$format && cmp a.$format b.$format && echo same
done
spmv-convert a.coo - --to binsparse | spmv-convert --from binsparse - - --to mtx
grep -ao '{"binsparse".*}}}' csr.h5
gzip csr.h5 && spmv-convert --check --from binsparse csr.h5.gz csc.h5 a.csr
spmv-convert --check coo.h5
echo $?
