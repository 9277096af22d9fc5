#!/bin/bash
# What could steer a terminal is shown, not sent.
spmv-convert $'\e[31mred\n.mtx' -o out
