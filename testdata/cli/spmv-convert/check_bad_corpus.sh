#!/bin/bash
# Every file of testdata/bad is refused in one line, with the place and the words expected.
cd "$TESTDATA/bad" || exit
mapfile -d '' files < <(find . -type f ! -name '*.expect' -print0)
spmv-convert --check -q "${files[@]}" 2>"$OLDPWD/lines"
echo $?
cd "$OLDPWD" || exit
for file in "$TESTDATA"/bad/*.expect; do
    name=$(basename "$file" .expect)
    { read -r status && read -r place && read -r phrase; } <"$file"
    phrase=${phrase//\`index_base\`/--index-base} # names of the library, as the tool spells them
    phrase=${phrase//\`columns\`/--columns}
    [ "$place" = 0:0 ] && place= || place=:$place
    line=$(grep -F "spmv-convert: ./$name." lines)
    [[ $line == "spmv-convert: ./$name."*"$place: "*"$phrase"* && $line != *$'\n'* && $status = 3 ]] && continue
    echo "expected $status $place '$phrase' for $name: $line"
done
[ "$(wc -l <lines)" = ${#files[@]} ]
