#!/bin/bash
# Fish completes options with their help, and words without it: in lists behind each comma, and kinds.
command -v fish >/dev/null || exit 77
export HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD
for tool in spmv-bench spmv-gen spmv-run; do $tool --completion fish; done >completions
while read -r line; do
    echo "== $line"
    # shellcheck disable=SC2016 # it is fish that expands
    fish -c 'source completions; complete -C $argv' "$line"
done <<'END'
spmv-bench --min
spmv-bench -k cpu-csr,cpu-cs
spmv-bench --precision=f32,
spmv-bench --generate hyp
spmv-gen ste
spmv-gen --list
spmv-run --kernel cpu-cse
spmv-run -x i
END
