#!/bin/bash
# The first line of a Rutherford-Boeing file may be anything, but not the beginning of what is packed: its
# header may well be seen in there.
mkdir hb web
cp "$TESTDATA/good/worked.mtx" web/web.mtx
spmv-convert web/web.mtx hb/hb.rb
spmv-convert hb/hb.rb --to mtx - >expected.mtx
tar cf web.tar web/web.mtx
spmv-convert --info web.tar >/dev/null 2>&1 || exit 77 # no archives in this build
tar cf hb.tar hb/hb.rb
python3 - <<'PY'
import struct, zipfile, zlib
data = open('hb/hb.rb', 'rb').read()
open('stored.rb.gz', 'wb').write(
    b'\x1f\x8b\x08\0\0\0\0\0\0\x03' + zlib.compress(data, 0, -15) +
    struct.pack('<II', zlib.crc32(data), len(data)))
open('damaged.rb.gz', 'wb').write(open('stored.rb.gz', 'rb').read()[:-8] + b'wrong...')
open('raw.rb.zst', 'wb').write(
    b'\x28\xb5\x2f\xfd\x60' + struct.pack('<H', len(data) - 256) +
    struct.pack('<I', 1 | len(data) << 3)[:3] + data)
zipfile.ZipFile('hb.zip', 'w').write('hb/hb.rb')
PY
for file in hb.tar hb.zip stored.rb.gz raw.rb.zst; do
    spmv-convert $file --to mtx - >got.mtx
    status=$?
    cmp got.mtx expected.mtx && echo "$file $status"
done
spmv-convert --list-members hb.tar | grep -c 'hb/hb.rb$'
spmv-convert --check damaged.rb.gz; echo $?
# A title with a right-hand side behind the matrix: what follows would be passed over.
sed -e '2s/$/             2/' -e '4s/$/\nF 1 0/' hb/hb.rb >web/aa.rb && echo '1.0 2.0 3.0' >>web/aa.rb
tar cf web.tar web/aa.rb web/web.mtx
spmv-convert web.tar --to mtx - | cmp - <(spmv-convert web/web.mtx --to mtx -) && echo web/web.mtx
