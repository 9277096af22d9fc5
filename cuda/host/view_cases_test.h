/* view_cases_test.h -- matrices as somebody else has them on a GPU. */
#pragma once

#include "spmv.h"

/* Bytes on the GPU, and up to a multiple of SPMV_GPU_ALIGNMENT what no reader may use: many times
 * one byte, with which a column is far outside and a value NaN. */
spmv_dense view_test_array(spmv_context *ctx, const void *data, int64_t bytes, int garbage);

/* A view, and the memory that it is of. */
typedef struct view_case {
    spmv_csr_view view;
    spmv_dense row_ptr, col_idx, val;
} view_case;

/* Of A, in one of the eight kinds of integers that there are: bit 0 of `kind` for row_ptr of 64
 * bits, bit 1 for col_idx, bit 2 for counting from 1. */
view_case view_test_make(spmv_context *ctx, const spmv_csr *A, int kind);
void view_test_free(view_case *f);
