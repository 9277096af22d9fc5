#!/bin/bash
# What could steer a terminal is shown, not sent.
spmv-run $'\e[31mred\n.mtx' -o out
