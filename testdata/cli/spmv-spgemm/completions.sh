#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-spgemm --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-spgemm | grep -o 'complete .*'
COMP_WORDS=(spmv-spgemm --prec) COMP_CWORD=1
_spmv_spgemm
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-spgemm --color a) COMP_CWORD=2
_spmv_spgemm
echo "${COMPREPLY[@]}"
