#!/bin/bash
# A file that is not there is a failure of reading.
spmv-run nowhere.mtx -o out
