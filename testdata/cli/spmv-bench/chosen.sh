#!/bin/bash
# One can tell which kernel a rule has chosen, also where it was named, too.
run() { spmv-bench --generate stencil5:9 --device cpu --threads 1 --min-time 0 --min-samples 1 --warm-only --format jsonl "$@"; }
run -k all,auto -o r.jsonl && run -k auto -o auto.jsonl && run -k auto-rule,auto,cpu-csr -o rules.jsonl
split -l 1 r.jsonl line. && "$ROOT/scripts/check-json" line.*
cat >look.py <<'END'
import json
def read(name):
    return [json.loads(line) for line in open(name)]
all, auto, rules = read('r.jsonl'), read('auto.jsonl'), read('rules.jsonl')
kernel, = [r['kernel'] for r in auto]
print([r['chosen_by'] for r in all if r['kernel'] == kernel], sum('chosen_by' in r for r in all), len({r['kernel'] for r in all}) == len(all))
print([(r['kernel'] == kernel, r['chosen_by']) for r in rules], all[0]['kernel'] != kernel or 'reason' in all[0])
print(kernel, file=open('kernel', 'w'))
END
python3 look.py
kernel=$(cat kernel)
spmv-bench --results r.jsonl >table && grep -cE "^$kernel \* " table && grep -c "^  \* chosen: $kernel by auto$" table
spmv-bench --results r.jsonl --format markdown | grep -cF "| $kernel (auto) |"
spmv-bench --results r.jsonl --format csv | grep -cE "^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,$kernel,.*,auto,[0-9a-f]{16},"
spmv-bench --results r.jsonl --plot p >table && grep -cE "<td>$kernel \(auto\)( <span class=\"f\">&#9733;</span>)?</td>" p/report.html
