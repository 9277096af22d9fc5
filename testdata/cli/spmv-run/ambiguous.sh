#!/bin/bash
# A file whose content may mean two things is read as the command line says.
printf '1 2\n2 1\n' >A.txt
printf '2 1\n2\n1\n' >A.graph
spmv-run A.txt
spmv-run A.graph -x index
cp A.graph B.txt
spmv-run B.txt -x index; echo $?
spmv-run B.txt -x index --from metis
spmv-run B.txt --from nothing; echo $?
