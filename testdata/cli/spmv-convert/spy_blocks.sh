#!/bin/bash
# Blocks of a large matrix are coloured by how full they are; any name of a file is well-formed XML.
command -v python3 >/dev/null || exit 77
{ echo '%%MatrixMarket matrix coordinate pattern general'; echo 1000 2000 7
  printf '%s\n' '1 1' '1 2' '2 1' '2 2' '3 5' '1000 2000' '500 1'; } >$'a<&"\x01\xff.mtx'
spmv-convert a* --spy A.svg
python3 - <<'END'
import xml.etree.ElementTree as xml
root = xml.parse('A.svg').getroot()
name = '{http://www.w3.org/2000/svg}'
print(root.attrib, repr(root.find(name + 'title').text))
for text in root.findall(name + 'text'):
    print(repr(text.text))
for path in root.find(name + 'g'):
    print(path.attrib)
END
