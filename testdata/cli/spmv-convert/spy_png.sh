#!/bin/bash
# --spy draws PNG where the name asks for it: the colour of each block, read back from its middle, and words.
command -v python3 >/dev/null || exit 77
spmv-convert "$TESTDATA/good/worked.mtx" --spy A.png 2>err || { grep -q 'draws SVG:' err && exit 77; }
cat err
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 1000 2000 7
  printf '%s\n' '1 1' '1 2' '2 1' '2 2' '3 5' '1000 2000' '500 1'; } >B.mtx
spmv-convert B.mtx --spy B.png
echo '%%MatrixMarket matrix coordinate pattern general
0 0 0' >C.mtx
spmv-convert C.mtx --spy C.png
python3 - <<'END'
import struct, zlib

def pixels(name):
    data, at, image, kinds = open(name, 'rb').read(), 8, b'', []
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        kinds.append(kind)
        if kind == b'IHDR': width, height, depth, colour, *rest = struct.unpack('>IIBBBBB', body)
        if kind == b'PLTE': palette = [body[i:i + 3].hex() for i in range(0, length, 3)]
        if kind == b'IDAT': image += body
        at += 12 + length
    assert kinds[0] == b'IHDR' and kinds[-1] == b'IEND' and colour == 3 and rest == [0, 0, 0]
    rows, per_row = zlib.decompress(image), (width * depth + 7) // 8
    assert len(rows) == height * (per_row + 1) and not any(rows[::per_row + 1])  # no filter
    def at_pixel(x, y):
        bit = x * depth
        byte = rows[y * (per_row + 1) + 1 + bit // 8]
        return palette[byte >> (8 - depth - bit % 8) & ((1 << depth) - 1)]
    return width, height, at_pixel

# Left of the blocks are 16 pixels, the digits of the last row, 12 pixels each, and 10; above them 78.
width, height, at = pixels('A.png')
print(width, height)
left, top = 16 + 12 + 10, 78
for i in range(3):
    print(*(at(left + 36 * j + 18, top + 36 * i + 18) for j in range(4)))
print('frame', at(left - 2, top - 2), 'margin', at(0, 0), 'gap', at(left + 36, top + 18))
width, height, at = pixels('B.png')
left = 16 + 5 * 12 + 10
print(width, height, [(x, y, at(left + 2 * x, top + 2 * y)) for y in range(250) for x in range(500) if at(left + 2 * x, top + 2 * y) != 'ffffff'])
# The letters have dots of 2 x 2 pixels, those of the title 3 x 3: its name, its size, a number, and the scale.
def letters(count, x, y, dot):
    for row in range(7):
        print(''.join('#' if at(x + column * dot, y + row * dot) == '1b1f24' else ' ' for column in range(6 * count)).rstrip())
letters(5, 16, 14, 3)
letters(13, 16, 46, 2)
letters(5, 16, top + 500 - 1 - 7, 2)
letters(1, left, top + 500 + 44, 2)
print(*(at(left + 12 + 4 + 28 * k + 14, top + 500 + 50) for k in range(8)))
print(pixels('C.png')[:2])
END
