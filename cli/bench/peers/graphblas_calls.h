/* graphblas_calls.h -- what the peers of SuiteSparse:GraphBLAS share: no other file includes it. */
#pragma once

#include "spmv.h"

#include <GraphBLAS.h>

/* Turns the result of a call into one of ours. */
spmv_status graphblas_check(GrB_Info info, const char *what, spmv_error *err);

/* Start GraphBLAS, which ends with the process.  Any number of times. */
spmv_status graphblas_start(spmv_error *err);

/* Allocate one element more than `count`, all 0; NULL and an error where there is no memory. */
void *graphblas_room(int64_t count, size_t size, spmv_error *err);

/* *out = a copy of A, which has values that are real. */
spmv_status graphblas_import(GrB_Matrix *out, const spmv_csr *A, spmv_error *err);
