#!/bin/bash
# Progress is one line per phase in a log, nothing off a terminal.
cp "$TESTDATA/good/worked.mtx" A.mtx
spmv-convert --progress=plain A.mtx A.csr
spmv-convert --progress=auto A.mtx B.csr
