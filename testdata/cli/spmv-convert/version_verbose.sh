#!/bin/bash
# With -v the version comes with the facts of the build.
spmv-convert --version --verbose
