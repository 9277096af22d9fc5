#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-gen --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-gen | grep -o 'complete .*'
COMP_WORDS=(spmv-gen --prec) COMP_CWORD=1
_spmv_gen
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-gen sten) COMP_CWORD=1
_spmv_gen
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-gen --color a) COMP_CWORD=2
_spmv_gen
echo "${COMPREPLY[@]}"
