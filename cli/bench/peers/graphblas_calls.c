/* graphblas_calls.c -- see graphblas_calls.h. */
#include "cli/bench/peers/graphblas_calls.h"
#include "cli/tool/fail.h"
#include "cli/text/number_text.h"

#include <stdlib.h>

spmv_status graphblas_check(GrB_Info info, const char *what, spmv_error *err)
{
    if (info == GrB_SUCCESS) return SPMV_SUCCESS;
    return tool_fail(err,
                     info == GrB_OUT_OF_MEMORY ? SPMV_ERROR_OUT_OF_MEMORY : SPMV_ERROR_UNSUPPORTED,
                     "GraphBLAS: %s failed with code %d", what, (int)info);
}

static void finish(void)
{
    GrB_finalize();
}

/* It can be started once in a process. */
spmv_status graphblas_start(spmv_error *err)
{
    static bool started;
    spmv_status st;
    if (started) return SPMV_SUCCESS;
    TOOL_TRY(graphblas_check(GrB_init(GrB_NONBLOCKING), "GrB_init", err));
    started = true;
    atexit(finish);
done:
    return st;
}

void *graphblas_room(int64_t count, size_t size, spmv_error *err)
{
    char bytes[TOOL_NUMBER];
    void *p = calloc((size_t)count + 1, size);
    if (p == NULL)
        tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate %s for GraphBLAS",
                  tool_bytes_text((double)count * (double)size, bytes));
    return p;
}

/* Indices of GraphBLAS have 64 bits. */
spmv_status graphblas_import(GrB_Matrix *out, const spmv_csr *A, spmv_error *err)
{
    const GrB_Index rows = (GrB_Index)A->rows, cols = (GrB_Index)A->cols, n = (GrB_Index)A->nnz;
    GrB_Index *ptr = graphblas_room(A->rows + 1, sizeof *ptr, err),
              *idx = graphblas_room(A->nnz, sizeof *idx, err);
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    if (ptr == NULL || idx == NULL) goto done;

    for (int64_t r = 0; r <= A->rows; r++) ptr[r] = (GrB_Index)A->row_ptr[r];
    for (int64_t k = 0; k < A->nnz; k++) idx[k] = (GrB_Index)A->col_idx[k];
    const GrB_Info info = A->type == SPMV_F32
                              ? GrB_Matrix_import_FP32(out, GrB_FP32, rows, cols, ptr, idx, A->val,
                                                       rows + 1, n, n, GrB_CSR_FORMAT)
                              : GrB_Matrix_import_FP64(out, GrB_FP64, rows, cols, ptr, idx, A->val,
                                                       rows + 1, n, n, GrB_CSR_FORMAT);
    TOOL_TRY(graphblas_check(info, "GrB_Matrix_import", err));
    TOOL_TRY(graphblas_check(GrB_Matrix_wait(*out, GrB_MATERIALIZE), "GrB_Matrix_wait", err));
done:
    free(ptr);
    free(idx);
    return st;
}
