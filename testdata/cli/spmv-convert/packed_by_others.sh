#!/bin/bash
# What is written compressed is what the programs of each compression unpack, also of many buffers.
spmv-gen uniform --rows 4000 --cols 1000000 --per-row 40 -o A.mtx
while read -r suffix program; do
    command -v "$program" >/dev/null || exit 77
    spmv-convert A.mtx "A.mtx.$suffix" 2>err || { grep -q 'this build' err && exit 77; }
    "$program" -t "A.mtx.$suffix" 2>&1 && "$program" -dc "A.mtx.$suffix" | cmp - A.mtx
    spmv-convert "A.mtx.$suffix" - --to mtx | cmp - A.mtx
    test "$(stat -c %s "A.mtx.$suffix")" -gt 700000 || echo "$suffix: one buffer was enough"
done <<'END'
gz gzip
bz2 bzip2
xz xz
END
