#!/bin/bash
# What many results say together, in every format; means, wins and worst cases were worked out by hand.
result() { # MATRIX KERNEL FORMAT MEDIAN [VERIFY [THREADS]]
    printf '{"matrix":{"file":"%s","name":"%s","rows":9,"cols":9,"nnz":2000,"format":"%s"},"kernel":"%s","precision":"f64","vectors":1,"device":{"kind":"cpu","name":"A","threads":%s},"host":{"name":"h"},"time_s":{"median":%s},"gflops":2%s}\n' \
        "$1" "$1" "$3" "$2" "${6-2}" "$4" "${5-,\"verify\":{\"pass\":true\}}"
}
{
    result a cpu-csr csr 8e-3
    result a cpu-jds jds 4e-3
    result b cpu-csr csr 1e-3
    result b cpu-jds jds 2e-3 ''
    result c cpu-csr csr 2e-3
    result c cpu-jds jds 1e-3 ',"verify":{"pass":false}'
    result c cpu-ell ell 1e-3
    result a cpu-csr csr 1e-3 ',"verify":{"pass":true}' 4
    echo '{"matrix":{"file":"d","name":"d"},"failure":{"status":"SPMV_ERROR_FILE_IO","message":"gone"}}'
} >r.jsonl
short() { sed -E 's/([0-9]\.[0-9]{5})[0-9]+/\1/g'; }
for format in table markdown csv; do
    echo "== $format"
    spmv-bench --results r.jsonl --summary --format $format | tr -d '\r' | short
done
echo "== json"
spmv-bench --results r.jsonl --summary -o s.json && spmv-bench --results r.jsonl -o all.json && "$ROOT/scripts/check-json" s.json
python3 - <<'END'
import json
s, all = (json.load(open(f)) for f in ('s.json', 'all.json'))
print(s['summary'] == all['summary'], 'results' in s, len(all['results']))
for group in s['summary']:
    print({k: v for k, v in group.items() if k not in ('kernels', 'fastest')})
    for k in group['kernels']: print({key: round(v, 6) if key == 'speedup' else v for key, v in k.items()})
    for m in group['fastest']: print(m)
END
echo "== of several processes, which are no more of the same"
for ranks in 2 4; do result a cpu-csr csr ${ranks}e-3 ',"verify":{"pass":true},"distribution":{"ranks":'$ranks'}'; done >ranks.jsonl
spmv-bench --results ranks.jsonl --summary | grep Summary
spmv-bench --results ranks.jsonl --summary --format csv | tr -d '\r' | cut -d , -f 1,2,15,16
spmv-bench --results ranks.jsonl --summary -o ranks.json && "$ROOT/scripts/check-json" ranks.json && grep -oE '"ranks": *[24]' ranks.json | tr -d ' '
spmv-bench --compare ranks.jsonl ranks.jsonl --format csv | tr -d '\r' | cut -d , -f 1,16
echo "== with a peer"
{ cat r.jsonl; result a lib:csr csr 2e-3; result b lib:coo coo 3e-3; } >p.jsonl
spmv-bench --results p.jsonl --summary --format csv | cut -d , -f 1-8 | head -n 6 | short
# Behind the results stands the summary of several matrices, in what people read.
spmv-bench --results r.jsonl | grep -c '^Summary'
spmv-bench --results r.jsonl --format markdown | grep -c '^\*\*Summary'
spmv-bench --results r.jsonl --format csv | grep -c best
grep -v '"b"\|"c"' r.jsonl >one.jsonl; spmv-bench --results one.jsonl | grep -c '^Summary'
spmv-bench a.mtx --summary --resume -o r.jsonl; echo $?
spmv-bench --compare r.jsonl r.jsonl --summary; echo $?
spmv-bench --generate stencil5:4 --device cpu --threads 1 -k cpu-csr --min-time 0 --min-samples 1 --warm-only --summary --format csv | cut -d , -f 1-6
echo "== of two hosts, each with tables of its own"
{
    result a cpu-csr csr 8e-3
    result a cpu-csr csr 4e-3 | sed 's/"name":"h"/"name":"other"/'
} >hosts.jsonl
spmv-bench --results hosts.jsonl --summary | grep -E '^(Summary|[^ ]+ on )'
spmv-bench --results hosts.jsonl | grep -E '^(Summary|A |a, |cpu)'
spmv-bench --results hosts.jsonl --format markdown | grep '^\*\*'
# None is lost where one in between does not name its host, and interleaved ones are told apart.
{
    result a cpu-csr csr 8e-3
    result a cpu-jds jds 6e-3 | sed 's/"host":{"name":"h"},//'
    result a cpu-csr csr 4e-3 | sed 's/"name":"h"/"name":"other"/'
} >unnamed.jsonl
spmv-bench --results unnamed.jsonl --format csv | wc -l
spmv-bench --results unnamed.jsonl | grep -cE '^cpu'
{
    for host in h other; do result a cpu-csr csr 8e-3 | sed "s/\"name\":\"h\"/\"name\":\"$host\"/"; done
    for host in h other; do result b cpu-csr csr 8e-3 | sed "s/\"name\":\"h\"/\"name\":\"$host\"/"; done
} >mixed.jsonl
spmv-bench --results mixed.jsonl | grep -E '^(a|b), '
