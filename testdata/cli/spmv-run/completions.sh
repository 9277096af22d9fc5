#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-run --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-run | grep -o 'complete .*'
COMP_WORDS=(spmv-run --prec) COMP_CWORD=1
_spmv_run
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-run --color a) COMP_CWORD=2
_spmv_run
echo "${COMPREPLY[@]}"
