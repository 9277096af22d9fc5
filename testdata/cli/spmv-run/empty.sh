#!/bin/bash
# No rows, no columns, no nonzeros: nothing is computed, all is well.
for shape in '0 0 0' '0 3 0' '2 0 0' '2 2 0'; do
    { echo '%%MatrixMarket matrix coordinate real general'; echo "$shape"; } | spmv-run - -q --verify
done
