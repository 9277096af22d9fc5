#!/bin/bash
# Folders give their matrices, sorted; of an unpacked archive only the matrix.
mkdir -p all/deeper/hubs all/.hidden empty
cp "$TESTDATA/good/worked.mtx" all/b.mtx
cp "$TESTDATA/good/worked.mtx" all/deeper/hubs/hubs.mtx
cp "$TESTDATA/good/worked.mtx" all/deeper/hubs/hubs_b.mtx
cp "$TESTDATA/good/worked.mtx" all/.hidden/c.mtx
gzip -c "$TESTDATA/good/worked.mtx" >all/a.mtx.gz
tar czf all/worked.tar.gz -C "$TESTDATA/good" worked.mtx
spmv-convert --check all/worked.tar.gz 2>/dev/null || exit 77 # no archives in this build
echo text >all/notes.md
spmv-bench all empty --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --format csv | cut -d , -f 2,5,6
