#!/bin/bash
# A file that is not there is a failure of reading.
spmv-pagerank nowhere.mtx
