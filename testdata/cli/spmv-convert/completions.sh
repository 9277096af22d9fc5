#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-convert --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-convert | grep -o 'complete .*'
COMP_WORDS=(spmv-convert --prec) COMP_CWORD=1
_spmv_convert
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-convert --color a) COMP_CWORD=2
_spmv_convert
echo "${COMPREPLY[@]}"
