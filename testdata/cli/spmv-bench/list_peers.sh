#!/bin/bash
# The record names the peers of this build that the listing names.
spmv-bench --list-peers --json peers.json && "$ROOT/scripts/check-json" peers.json
spmv-bench --list-peers | awk '$1 ~ /:/ { print $1 }' >names
python3 -c "
import json
for p in json.load(open('peers.json'))['peers']: print(p['name'])" | diff - names
