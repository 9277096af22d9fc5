#!/bin/bash
# Where a GPU multiplies often, set-ups are weighed; where it does once, or with another choice, none are.
command -v spmv-run-emulated >/dev/null || exit 77
spmv-gen stencil27 --grid 12 --precision f32 -o a.csr
run() { spmv-run-emulated a.csr --device gpu --explain --json record.json -o y.txt --force "$@"; }
run
run --repeat 2 2>&1 | sed -nE '/ multiplications? |multiplications$/ {s/(about|and) [0-9.]+ [^ ]+/\1 TIME/g; s/from [0-9]+/from N/; p}'
"$ROOT/scripts/check-json" record.json
python3 -c '
import json
r = json.load(open("record.json"))
least = min(r["weighed"], key=lambda k: k["setup_s"] + 2 * k["time_s"])
print(r["kernel"] == least["kernel"], [k["kernel"] for k in r["weighed"]])'
