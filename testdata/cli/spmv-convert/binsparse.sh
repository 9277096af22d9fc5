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
# Of a damaged file there is one line, and nothing of what HDF5 thinks of it, which loses memory then.
python3 - <<'END'
whole = open('coo.h5', 'rb').read()
for at in range(40, len(whole), 97):
    open(f'damaged-{at}.h5', 'wb').write(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1:])
END
for file in damaged-*.h5; do
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 spmv-convert --check --from binsparse "$file" 2>told
    [ "$(wc -l <told)" -le 1 ] || { echo "$file"; cat told; }
done
