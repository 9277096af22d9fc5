#!/bin/bash
# --list-kinds names every kind with its options and defaults; as JSON, too.
spmv-gen --list-kinds
spmv-gen --list-kinds --json kinds.json && "$ROOT/scripts/check-json" kinds.json
tr -d ' \n\t' <kinds.json | grep -o '"name":"rmat".*' | grep -o '"defaults":{[^}]*}' | head -1
