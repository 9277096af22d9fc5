#!/bin/bash
# Wherever a time is shown it says when its product was wrong or nobody looked at it.
result() { # MATRIX KERNEL MEDIAN VERIFY
    printf '{"matrix":{"file":"%s","name":"%s","rows":9,"cols":9,"nnz":20,"format":"csr"},"kernel":"%s","precision":"f64","device":{"kind":"cpu","name":"A","cache_bytes":1000},"time_s":{"median":%s,"noise":0.01},"gflops":2,"useful_bytes":500,"bandwidth_bytes_per_s":1e10,"theoretical_bytes_per_s":2e10,"efficiency":0.5,"setup_s":1e-3,"ceilings":{"stream_bytes_per_s":1.5e10,"gather_per_s":1e9}%s,"best_peer":{"kernel":"lib:csr","ratio":2}}\n' \
        "$1" "$1" "$2" "$3" "$4"
}
right=',"verify":{"pass":true}' wrong=',"verify":{"pass":false,"wrong":3,"worst_row":6}'
for m in a b; do
    result $m sound 1e-3 "$right"
    result $m false 5e-4 "$wrong"
    result $m blind 2e-3 ''
    result $m lib:csr 2e-3 "$right"
done >r.jsonl
spmv-bench --results r.jsonl --plot p | tail -n 9
sed 's/"pass":true/"pass":true,"wrong":0/; /sound/s/,"verify":[^}]*}//' r.jsonl >blind.jsonl
spmv-bench --results blind.jsonl --plot q | tail -n 9
# Classes are the numbers of colours; the legend says of which kernels.
cat >named.py <<'END'
import re, sys
text = open(sys.argv[1]).read()
for colour, name in re.findall(r'<path class="[kl](\d+)[^"]*" d="[^"]*"/>\n<text x[^>]*>([^<]*)<', text):
    text = re.sub(f'class="([kl]){colour}( y[0-9])?( u)?"', rf'class="\1 {name}\3"', text)
print(text)
END
for chart in p/roofline-cpu p/profile-cpu p/small q/profile-cpu; do
    echo "== $chart"
    python3 named.py $chart.svg | grep -oE '<path class="[kl][^"]*" [^>]*><title>|GFLOP/s[^<]*</title>|<path class="l[^"]*" d="[^"]*H|>[0-9]* matrices;[^<]*|>wrong or not[^<]*|>2.000[^<]*<' | sed 's/ d=.*//' | sort | uniq -c | sed 's/^ *//'
done
grep -c '>wrong or not' p/report.html; sed '/false/d; /blind/d' r.jsonl >good.jsonl
spmv-bench --results good.jsonl --plot g >/dev/null; grep -cE 'not verified|class="l[0-9]* y[0-9] u"' g/report.html
# A result that nobody verified mends nothing.
spmv-bench --compare <(result a k 1e-3 "$wrong") <(result a k 1e-3 '') | tail -n 1
spmv-bench --compare <(result a k 1e-3 "$wrong") <(result a k 1e-3 "$right") | tail -n 3 | head -n 1 | cut -d ' ' -f 1
spmv-bench --generate stencil5:4 --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --no-verify --format csv -v 2>&1 >x | grep -c 'fastest cpu-csr, .*, not verified$'
