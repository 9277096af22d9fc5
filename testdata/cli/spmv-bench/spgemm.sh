#!/bin/bash
# Sparse products: ours and those of other libraries are verified, timed and put in relation.
spmv-gen powerlaw:rows=2000,per-row=4 --values random -o square.csr
spmv-gen uniform:rows=300,cols=500,per-row=8 --values random -o flat.csr
bench() {
    spmv-bench --op spgemm square.csr flat.csr --device cpu --threads 2 -k all,spgemm-serial --peer all --min-time 0 \
        --min-samples 2 --warmup 0 --max-noise 100 --format jsonl "$@"
}
bench -o f64.jsonl --json document.json && bench --precision f32 -o f32.jsonl
split -l 1 f64.jsonl line. && split -l 1 f32.jsonl single. && "$ROOT/scripts/check-json" line.* single.* document.json
python3 - <<'END'
import json
for name in 'f64.jsonl', 'f32.jsonl':
    for r in map(json.loads, open(name)):
        p, v, ours = r['product'], r['verify'], ':' not in r['kernel']
        assert abs(r['gflops'] * r['time_s']['median'] * 1e9 / (2 * p['products']) - 1) < 1e-12
        assert v['pass'] and v['wrong'] == 0 and v['excess'] <= 1 and r['matrix']['type'] == r['precision']
        assert len(r['time_s']['samples']) == 2 and r['batch'] == 1
        size = {'f32': 4, 'f64': 8}[r['precision']]
        csr = lambda rows, nnz: 4 * (rows + 1) + nnz * (4 + size)
        m = r['matrix']
        b = m['rows'] if not p['transposed'] else m['cols']
        assert r['useful_bytes'] == csr(m['rows'], m['nnz']) + csr(b, m['nnz']) + csr(m['rows'], p['nnz'])
        if ours:
            print(m['name'], r['kernel'], r['operation'], r['precision'], p['transposed'], v['equal_bits'], 'memory_bytes' in p)
END
# The same numbers of entries and products as the tool that multiplies.
spmv-spgemm square.csr --json one.json -o C.csr && spmv-spgemm flat.csr --transpose-b --json two.json -o D.csr
python3 - <<'END'
import json
want = {m: {k: json.load(open(f))['product'][k] for k in ('products', 'nnz')} for m, f in (('square', 'one.json'), ('flat', 'two.json'))}
print(all(want[r['matrix']['name']] == {k: r['product'][k] for k in ('products', 'nnz')} for r in map(json.loads, open('f64.jsonl'))))
END
# Every format; results are found again, and are no results of other operations.
spmv-bench --results f64.jsonl >table
grep -oE '^(C = A[^:]*|spgemm-[a-z]*.* (equal|differ)|kernel.*bits)' table | sed -E 's/ +[0-9].* / /; s/ +/ /g' | sort | uniq -c
spmv-bench --results f64.jsonl --format markdown | grep -oE '^\| kernel .*\| bits' | uniq
spmv-bench --results f64.jsonl --format csv | head -n 1 | tr ',' '\n' | grep -E '^(operation|products|product_nnz|memory_bytes|equal_bits)$'
spmv-bench --results f64.jsonl --plot p >table && ls p/report.html
bench -o f64.jsonl --resume 2>&1 | grep -cE ': ([0-9]+) of \1 measurements'
spmv-bench --compare f64.jsonl f64.jsonl | tail -n 1 | grep -c ' 0 slower'
spmv-bench square.csr -k cpu-csr --device cpu --threads 2 --min-time 0 --min-samples 2 --warm-only --format jsonl -o f64.jsonl --resume
spmv-bench --results f64.jsonl | grep -c '^square,'
