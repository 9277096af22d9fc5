# Every file of testdata/bad is refused, with the status, the place and the words expected.
shopt -s nullglob
for file in "$TESTDATA"/bad/*.expect; do
    name=${file%.expect}
    { read -r status; read -r place; read -r phrase; } <"$file"
done
