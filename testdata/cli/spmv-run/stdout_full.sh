#!/bin/bash
# A full disk is noticed; the record is not written for a y that is lost.
spmv-run "$TESTDATA/good/worked.mtx" --json r.json >/dev/full; echo $?
ls
