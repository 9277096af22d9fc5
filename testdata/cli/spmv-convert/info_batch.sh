#!/bin/bash
# One bad file stops no other: each is reported, and the exit status is the worst.
cp "$TESTDATA/good/worked.csr" a.csr
cp "$TESTDATA/graphs/karate.mtx" c.mtx
echo nonsense >bad.mtx
spmv-convert --info a.csr bad.mtx none.mtx c.mtx | grep -v '^ '
echo "${PIPESTATUS[0]}"
spmv-convert --info a.csr bad.mtx c.mtx --json info.json
echo $?
grep -c '"profile":' info.json
spmv-convert --check bad.mtx a.csr none.mtx
echo $?
