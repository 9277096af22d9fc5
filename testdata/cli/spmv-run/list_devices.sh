#!/bin/bash
# --list-devices, as text and as JSON.
spmv-run --list-devices | grep -c '^cpu '
spmv-run --list-devices --json - >devices.json && "$ROOT/scripts/check-json" devices.json
