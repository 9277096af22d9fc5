#!/bin/bash
# A model that is not there is a failure of reading.
spmv-gen --like nowhere.mtx
