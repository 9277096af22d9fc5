#!/bin/bash
# -V names the tool and its version.
spmv-convert -V
