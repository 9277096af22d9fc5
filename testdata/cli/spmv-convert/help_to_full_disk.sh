#!/bin/bash
# Output that is lost is a failure, also for the help.
spmv-convert -h >/dev/full
