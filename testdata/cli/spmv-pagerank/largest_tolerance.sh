#!/bin/bash
# However large the tolerance, the record can hold it.
spmv-pagerank "$TESTDATA/graphs/karate.mtx" -q -t 1e308 --tol-mode networkx --json run.json -o x.txt; echo $?
"$ROOT/scripts/check-json" run.json && grep -o '"tolerance":.*' run.json
