#!/bin/bash
# --kernel tune on a GPU, here an emulated one, times no kernel that leaves the matrix to another one.
command -v spmv-run-emulated >/dev/null || exit 77
spmv-gen stencil5 --grid 6 --values random -o small.csr
spmv-run-emulated small.csr -k tune --device gpu --json record.json -o y.mtx 2>messages # fibers annoy ASan
grep -c 'could do better' messages
python3 - <<'END'
import json
print(sorted(t['kernel'] for t in json.load(open('record.json'))['tried']))
END
