#!/bin/bash
# Every file of testdata/bad is refused in one line, with the place and the words expected.
cd "$TESTDATA/bad" || exit
spmv-convert --check -q ./*.mtx 2>"$OLDPWD/lines"
echo $?
cd "$OLDPWD" || exit
for file in "$TESTDATA"/bad/*.expect; do
    name=$(basename "$file" .expect)
    { read -r status && read -r place && read -r phrase; } <"$file"
    [ "$place" = 0:0 ] && place= || place=:$place
    grep -qF "spmv-convert: ./$name.mtx$place: " lines && grep -F "./$name.mtx:" lines | grep -qF -- "$phrase" &&
        [ "$(grep -cF "./$name.mtx:" lines)" = 1 ] && [ "$status" = 3 ] && continue
    echo "expected $status $place '$phrase' for $name:"
    grep -F "./$name.mtx" lines
done
[ "$(wc -l <lines)" = "$(find "$TESTDATA/bad" -name '*.mtx' | wc -l)" ]
