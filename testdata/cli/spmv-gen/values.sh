#!/bin/bash
# The problem's own values, ones, none, and random ones inside (-1, 1).
for values in own ones none; do spmv-gen banded:3,bandwidth=1 --values $values | head -2 | tail -1; done
spmv-gen stencil5:2 --values ones | tail -1
spmv-gen stencil5:2 --values none | tail -1
spmv-gen stencil5:2 --values random | awk 'NR > 2 && ($3 <= -1 || $3 >= 1 || $3 == 0)'
