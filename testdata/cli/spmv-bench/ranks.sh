#!/bin/bash
# Several processes multiply together: verified, in every format, and known again.
has_ranks || exit 77
bench() { on_ranks "$@" --min-time 0.01 --min-samples 5 -q 2>noise || { echo "status $?" && grep '^spmv' noise; }; }
spmv-gen rmat --scale 9 -o A.csr
for p in 2 3 4 7; do
    bench "$p" spmv-bench A.csr --generate stencil5:20 --generate dense:3 -o "$p.csv"
    tr -d '\r' <"$p.csv" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { print $1, $column["kernel"], $column["ranks"], $column["verified"], $column["pass"],
                ($column["imbalance"] >= 1 ? "imbalance" : "none"), ($column["communication"] != "" ? "share" : "none") }'
done
bench 3 spmv-bench A.csr --vectors 1,3 --precision f32 --threads 1,2 --partition rows -o out.json
"$ROOT/scripts/check-json" out.json
echo "check-json: $?"
grep -o '"pass":true' out.json | wc -l
grep -o '"distribution":{"ranks":3,"partition":"rows"' out.json | wc -l
bench 2 spmv-bench A.csr | grep -o '^cpu-csr\|imbalance   comm\|2 ranks$' | sort -u

# What two processes have measured is known again, but not as what three have.
bench 2 spmv-bench A.csr -o lines.jsonl
bench 2 spmv-bench A.csr -o lines.jsonl --resume && wc -l <lines.jsonl
bench 3 spmv-bench A.csr -o lines.jsonl --resume && wc -l <lines.jsonl

# What is wrong is told once, and ends all.
for wrong in nowhere.mtx 'A.csr -k ell' 'A.csr --dry-run' 'A.csr --device gpu' 'A.csr --model 2,1us,1GB' \
    'A.csr --peer all' 'A.csr --op spgemm' 'A.csr -o nowhere/x.json'; do
    # shellcheck disable=SC2086 # options and their words
    timeout 60 bash -c 'on_ranks "$@"' - 3 spmv-bench $wrong 2>noise >/dev/null
    echo "status $?" && grep '^spmv' noise
done
