#!/bin/bash
# On an emulated GPU.  Six thousand bytes of memory are too little for most graphs: --device auto
# warns and ranks on the CPU, a GPU that was asked for is an error of memory.
command -v spmv-pagerank-emulated >/dev/null || exit 77
export EMULATED_MEMORY=6000
spmv-gen uniform --rows 2100 --per-row 2000 --values none --to csr -o large.csr
spmv-gen uniform --rows 200 --per-row 3 --values none --to csr -o small.csr
printf '0 1\n1 0\n' >pair.el
rank() { spmv-pagerank-emulated "$@" 2>errors; status=$?; grep -v makecontext errors >&2; return $status; }
rank large.csr --top 1 --json record.json | cmp - <(spmv-pagerank large.csr --top 1 --device cpu)
python3 -c 'import json; print(json.load(open("record.json"))["device"]["name"] != "emulated")'
rank small.csr --device gpu --top 1; echo $?
rank pair.el --device gpu --sources 0,1 --acceleration extrapolation --top 2; echo $?
