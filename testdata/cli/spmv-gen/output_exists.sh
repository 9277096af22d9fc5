#!/bin/bash
# An existing file is not replaced without --force, and a model never.
spmv-gen dense:2 -o A.mtx && spmv-gen dense:3 -o A.mtx; echo $?
spmv-gen dense:3 -o A.mtx --force && sed -n 2p A.mtx
spmv-gen --like A.mtx -o A.mtx --force; echo $?
