#!/bin/bash
# The table names every kernel of the CPU once, in at most 80 columns, and ends well.
spmv-bench --generate stencil5:9 "$TESTDATA/good/worked.mtx" --device cpu --threads 1 --min-time 0 \
    --min-samples 3 --warm-only >table || echo "status $?"
sed '/^Summary/,$d' table | grep -oE '^cpu-[a-z]+' | sort | uniq -c | sed 's/^ *//' >twice
spmv-run --list-kernels | grep -o '^cpu-[a-z]*' | sort | sed 's/^/2 /' | diff - twice && echo twice
grep -E 'nonzeros,|^kernel' table
wc -L <table | awk '{ print ($1 <= 84) }'
grep -q WRONG table || echo right
