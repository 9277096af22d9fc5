#!/bin/bash
# The smallest grid with neighbours, as Matrix Market text.
spmv-gen stencil5:2
