#!/bin/bash
# One multiplication makes y; only what shows a time, or compares products, asks for more of them.
cp "$TESTDATA/good/worked.mtx" A.mtx
phases() {
    echo "$*: $(spmv-run A.mtx --device cpu --progress plain "$@" 2>&1 >/dev/null |
        grep -o '\(multiply\|measure\) .*\.\.\.$' | tr '\n' ' ')"
}
phases -o once.mtx
phases -o repeat.mtx --repeat 1
phases -o json.mtx --json r.json
phases -o verify.mtx --verify
phases -o verbose.mtx -v
