#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-bench --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-bench | grep -o 'complete .*'
COMP_WORDS=(spmv-bench --min) COMP_CWORD=1
_spmv_bench
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-bench --kernel cpu-cs) COMP_CWORD=2
_spmv_bench
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-bench --kernel "cpu-jds,auto,cpu-cs") COMP_CWORD=2
_spmv_bench
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-bench --precision "f32,f") COMP_CWORD=2
_spmv_bench
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-bench --generate hyp) COMP_CWORD=2
_spmv_bench
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-bench --format j) COMP_CWORD=2
_spmv_bench
echo "${COMPREPLY[@]}"
