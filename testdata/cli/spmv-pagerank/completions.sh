#!/bin/bash
# Bash accepts its completions and completes an option and its values.
spmv-pagerank --completion bash >completions
# shellcheck source=/dev/null
source ./completions
complete -p spmv-pagerank | grep -o 'complete .*'
COMP_WORDS=(spmv-pagerank --prec) COMP_CWORD=1
_spmv_pagerank
echo "${COMPREPLY[@]}"
COMP_WORDS=(spmv-pagerank --color a) COMP_CWORD=2
_spmv_pagerank
echo "${COMPREPLY[@]}"
