#!/bin/bash
# With -v the version comes with the facts of the build.
spmv-run --version --verbose
