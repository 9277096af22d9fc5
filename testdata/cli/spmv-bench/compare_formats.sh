#!/bin/bash
# A comparison in every format and into files; the verdicts were worked out by hand.
line() { # MATRIX MEDIAN
    printf '{"schema":"spmv/1","tool":"spmv-bench","matrix":{"file":"%s","name":"%s"},"kernel":"cpu-csr","precision":"f64","vectors":1,"device":{"kind":"cpu","name":"A, B","threads":2},"host":{"name":"h"},"time_s":{"median":%s},"verify":{"pass":true}}\n' "$1" "$1" "$2"
}
{ line 'a|b' 1e-3; line fast 2e-3; line gone 1e-3; } >old.jsonl
{ line 'a|b' 2e-3; line fast 1e-3; } >new.jsonl
echo '{"matrix":{"file":"new","name":"new"},"kernel":"cpu-csr","precision":"f64","failure":{"status":"SPMV_ERROR_CUDA_MEMCPY","message":"out"}}' >>new.jsonl
for format in markdown csv; do
    echo "== $format"
    spmv-bench --compare old.jsonl new.jsonl --format $format | tr -d '\r'; echo "${PIPESTATUS[0]}"
done
echo "== json"
spmv-bench --compare old.jsonl new.jsonl --json c.json -o c.csv; echo $?
spmv-bench --compare old.jsonl new.jsonl --format csv | cmp - c.csv
"$ROOT/scripts/check-json" c.json
python3 - <<'END'
import json
c = json.load(open('c.json'))['comparison']
print(c['threshold'], c['pass'], c['change'], c['verdicts'])
for p in c['pairs']: print(p)
END
spmv-bench --compare new.jsonl new.jsonl --json - >d.json; echo $?
spmv-bench --compare new.jsonl new.jsonl -o e.json; python3 -c "
import json; a, b = (json.load(open(f))['comparison'] for f in ('d.json', 'e.json')); print(a == b, a['pass'])"
echo "== outputs"
spmv-bench --compare old.jsonl new.jsonl -o c.csv; echo $?
spmv-bench --compare old.jsonl new.jsonl -o new.jsonl --force; echo $?
spmv-bench --compare old.jsonl new.jsonl --json ./old.jsonl --force; echo $?
spmv-bench --compare old.jsonl new.jsonl -o d.yaml; echo $?
spmv-bench --compare old.jsonl new.jsonl >/dev/full; echo $?
