#!/bin/bash
# --list-kernels, as text and as JSON.
spmv-run --list-kernels | awk '{ print $1, $2, $3 }'
spmv-run --list-kernels --json - >kernels.json && "$ROOT/scripts/check-json" kernels.json
