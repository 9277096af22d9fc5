#!/bin/bash
# A folder that is not there is a failure of writing, and leaves nothing.
spmv-convert "$TESTDATA/good/worked.mtx" no/A.csr
