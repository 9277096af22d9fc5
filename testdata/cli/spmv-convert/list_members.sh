#!/bin/bash
# What is in an archive, as --member takes it; nothing else is one.
mkdir web && echo names >web/names.txt && cp "$TESTDATA/good/worked.mtx" web/web.mtx && printf '' >web/empty
tar cf web.tar web/names.txt web/web.mtx web/empty && gzip -c web.tar >web.tar.gz
spmv-convert --info web.tar >/dev/null 2>&1 || exit 77 # no archives in this build
spmv-convert --list-members web.tar web.tar.gz; echo $?
spmv-convert --list-members "$TESTDATA/packed/bfly.zip" | sed "s|$TESTDATA|T|"
spmv-convert --list-members - <web.tar.gz | tail -n 1
spmv-convert --list-members <web.tar.gz | tail -n 1
member=$(spmv-convert --list-members web.tar | awk '$3 ~ /mtx/ { print $3 }')
spmv-convert web.tar --member "$member" --to mtx - | diff - web/web.mtx >/dev/null; echo "${PIPESTATUS[0]}"
for file in web/web.mtx nowhere.tar web/empty; do spmv-convert --list-members $file; echo $?; done 2>&1
head -c 100 web.tar.gz >cut.tar.gz && spmv-convert --list-members cut.tar.gz 2>/dev/null; echo $?
spmv-convert --list-members web.tar web/empty --json listed.json; echo $?
"$ROOT/scripts/check-json" listed.json
python3 -c "
import json
for a in json.load(open('listed.json'))['archives']: print(a)"
spmv-convert --list-members </dev/null; echo $?
spmv-convert --list-members web.tar --from mtx; echo $?
spmv-convert --list-members web.tar --check; echo $?
