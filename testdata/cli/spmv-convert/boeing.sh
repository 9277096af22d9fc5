#!/bin/bash
# Rutherford-Boeing files in and out: known by content and by suffix, whole or as a triangle.
spmv-convert --list-formats | grep -E '^rb '
cp "$TESTDATA"/boeing/{worked.rb,with_vectors.rsa,skew.rza} .
spmv-convert worked.rb a.rb && spmv-convert a.rb - --to mtx
cat a.rb
spmv-convert with_vectors.rsa --symmetric keep b.rb && tail -n +3 b.rb
spmv-convert - b.mtx <b.rb && spmv-convert b.mtx c.rb && tail -n +3 c.rb
spmv-convert --info skew.rza | head -n 3
mkdir bfly && cp worked.rb bfly/bfly.rb && cp with_vectors.rsa bfly/bfly_b.rb && tar czf bfly.tar.gz bfly
spmv-convert bfly.tar.gz - --to rb | cmp - a.rb && echo same
spmv-convert --check --strict worked.rb skew.rza "$TESTDATA/bad/boeing_elemental.rb" 2>&1 | sed "s|$TESTDATA|T|"
spmv-convert --info --format line bfly
