#!/bin/bash
# An estimate of a small product is exact, of a large one within a twentieth; both have records.  The
# time is that of the CPU, and it is said whether C fits.
spmv-gen stencil5:30 -o small.csr && spmv-gen rmat:scale=12,seed=2 -o large.csr
spmv-spgemm small.csr --estimate | sed -E 's/^(time +)[^ ]+ [mun]?s/\1/'
spmv-spgemm small.csr -v -o small.mtx 2>&1 | grep -o '.* entries'
spmv-spgemm large.csr --estimate --json guess.json >/dev/null
spmv-spgemm large.csr -o large.mtx --json run.json
"$ROOT/scripts/check-json" guess.json && "$ROOT/scripts/check-json" run.json
python3 - <<'END'
import json
guess, run = (json.load(open(f))['product'] for f in ('guess.json', 'run.json'))
print(guess['products'] == run['products'], abs(guess['nnz'] / run['nnz'] - 1) < .05)
print(guess['estimated'], run['estimated'], run['b'])
END
