#!/bin/bash
# Output that is lost is a failure, also for the help.
spmv-run -h >/dev/full
