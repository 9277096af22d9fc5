#!/bin/bash
# What would not be written is refused, rather than left out.
cp "$TESTDATA/good/worked.mtx" A.mtx
for words in '--check --json F' '--check -o F' '--info -o F' '--info --map F' '--spy S.svg --json F' '--spy S.svg -o F' \
    '--list-formats -o F'; do
    # shellcheck disable=SC2086 # several words
    spmv-convert $words A.mtx
    echo $?
done
ls
