#!/bin/bash
# A mistyped option gets the one that was meant.
spmv-convert --verbos "$TESTDATA/good/worked.mtx"
spmv-convert g.el - --form el # no beginning of --format
