#!/bin/bash
# A kernel has one colour in every chart of every report, and no two have the same.
result() { # KERNEL KIND
    printf '{"matrix":{"file":"m","name":"m","rows":9,"cols":9,"nnz":20,"format":"csr"},"kernel":"%s","precision":"f64","device":{"kind":"%s","name":"A","cache_bytes":1000},"time_s":{"median":1e-3},"gflops":2,"useful_bytes":500,"bandwidth_bytes_per_s":1e10,"theoretical_bytes_per_s":2e10,"efficiency":0.5,"ceilings":{"stream_bytes_per_s":1.5e10,"gather_per_s":1e9},"verify":{"pass":true}}\n' \
        "$1" "$2"
}
for kernel in $(spmv-run --list-kernels | grep -oE '^[a-z]+-[a-z]+'); do
    case $kernel in cpu-*) result "$kernel" cpu ;; *) result "$kernel" gpu ;; esac
done >all.jsonl
for peer in cusparse:csr-1 cusparse:csr-2 cusparse:coo-1 cusparse:coo-2 cusparse:sell; do result $peer gpu; done >>all.jsonl
for peer in graphblas:csr mkl:csr other:one other:two; do result $peer cpu; done >>all.jsonl
tac all.jsonl | grep -v cpu-csc >few.jsonl
spmv-bench --results all.jsonl --plot all >/dev/null && spmv-bench --results few.jsonl --plot few >/dev/null
python3 - <<'END'
import glob, re
seen = {}
for name in sorted(glob.glob('*/*.svg')) + ['all/report.html']:
    text = open(name).read()
    colours, on_dark = {}, {}
    for number, colour in re.findall(r'\.k(\d+)\{fill:(#[0-9a-f]{6})\}', text):
        if colours.setdefault(number, colour) != colour and on_dark.setdefault(number, colour) != colour:
            print(name, number, 'has three colours')
    legend = re.findall(r'<path class="[kl](\d+)[^"]*" d="[^"]*"/>\n<text x[^>]*>([^<]*)<', text)
    marks = re.findall(r'<path class="[kl](\d+[^"]*" d=")M\d+ \d+([^"]*)"/>\n<text x', text)
    assert len(set(re.sub(r'^\d+', '', a) + b for a, b in marks)) >= (5 if 'profile' in name or 'roofline' in name else 1), name
    assert len(legend) > 5
    for number, kernel in legend:
        if seen.setdefault(kernel, colours[number]) != colours[number]:
            print(name, kernel, 'has another colour')
print(len(seen) == len(open('all.jsonl').readlines()), len(set(seen.values())) == len(seen))
def apart(a, b):
    return sum(abs(int(a[i:i + 2], 16) - int(b[i:i + 2], 16)) for i in (1, 3, 5))
known = [colour for kernel, colour in seen.items() if not kernel.startswith('other')]
print(min(apart(a, b) for a in known for b in known if a != b) >= 20)
END
