/* peer_graphblas_spgemm.c -- C = A B by SuiteSparse:GraphBLAS.
 *
 * C is asked for as compressed rows, and waited for, which also sorts its columns.  Its threads are
 * those of OpenMP, as ours. */
#include "cli/bench/peers/graphblas_calls.h"
#include "core/multiply/spgemm_method.h"
#include "cli/tool/fail.h"

#include <stdlib.h>

typedef struct graphblas_product {
    GrB_Matrix A, B, C;
    GrB_Index rows, cols; /* of C */
    bool single;
} graphblas_product;

static void drop(void *data)
{
    graphblas_product *p = data;
    GrB_Matrix_free(&p->C);
}

static void close_product(void *data)
{
    graphblas_product *p = data;
    GrB_Matrix_free(&p->A);
    GrB_Matrix_free(&p->B);
    GrB_Matrix_free(&p->C);
    free(p);
}

static spmv_status open_product(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                                const spmv_spgemm_operands *in, spmv_error *err)
{
    spmv_status st;
    graphblas_product *p = NULL;
    (void)method, (void)ctx;
    *out = NULL;
    if (spmv_type_is_complex(in->A->head.type) || in->A->head.rows == 0 || in->A->head.cols == 0 ||
        in->B->head.cols == 0)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED,
                         "GraphBLAS multiplies real matrices with rows and columns");
    TOOL_TRY(graphblas_start(err));
    p = calloc(1, sizeof *p);
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a product");
    p->single = in->A->head.type == SPMV_F32;
    p->rows = (GrB_Index)in->A->head.rows;
    p->cols = (GrB_Index)in->B->head.cols;
    TOOL_TRY(graphblas_import(&p->A, &in->A->csr, err));
    TOOL_TRY(graphblas_import(&p->B, &in->B->csr, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) close_product(p);
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    graphblas_product *p = data;
    const GrB_Type type = p->single ? GrB_FP32 : GrB_FP64;
    const GrB_Semiring semiring =
        p->single ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64;
    spmv_status st;
    TOOL_TRY(graphblas_check(GrB_Matrix_new(&p->C, type, p->rows, p->cols), "GrB_Matrix_new", err));
    TOOL_TRY(graphblas_check(GxB_Matrix_Option_set(p->C, GxB_SPARSITY_CONTROL, GxB_SPARSE),
                             "GxB_Matrix_Option_set", err));
    TOOL_TRY(
        graphblas_check(GrB_mxm(p->C, NULL, NULL, semiring, p->A, p->B, NULL), "GrB_mxm", err));
    TOOL_TRY(graphblas_check(GrB_Matrix_wait(p->C, GrB_MATERIALIZE), "GrB_Matrix_wait", err));
done:
    return st;
}

/* Copies C out with indices of 64 bits, and narrows the columns. */
static spmv_status fetch(void *data, spmv_matrix *C, spmv_error *err)
{
    graphblas_product *p = data;
    spmv_csr *csr = &C->csr;
    GrB_Index n = 0, *ptr = NULL, *idx = NULL;
    spmv_status st;
    *C = (spmv_matrix){.format = SPMV_CSR};
    TOOL_TRY(graphblas_check(GrB_Matrix_nvals(&n, p->C), "GrB_Matrix_nvals", err));
    TOOL_TRY(spmv_csr_create(csr, p->single ? SPMV_F32 : SPMV_F64, (int64_t)p->rows,
                             (int64_t)p->cols, (int64_t)n, err));
    ptr = graphblas_room(csr->rows + 1, sizeof *ptr, err);
    idx = graphblas_room(csr->nnz, sizeof *idx, err);
    st = SPMV_ERROR_OUT_OF_MEMORY;
    if (ptr == NULL || idx == NULL) goto done;
    GrB_Index rows = p->rows + 1, columns = n, values = n;
    TOOL_TRY(graphblas_check(p->single ? GrB_Matrix_export_FP32(ptr, idx, csr->val, &rows, &columns,
                                                                &values, GrB_CSR_FORMAT, p->C)
                                       : GrB_Matrix_export_FP64(ptr, idx, csr->val, &rows, &columns,
                                                                &values, GrB_CSR_FORMAT, p->C),
                             "GrB_Matrix_export", err));
    for (int64_t r = 0; r <= csr->rows; r++) csr->row_ptr[r] = (int64_t)ptr[r];
    for (int64_t k = 0; k < csr->nnz; k++) csr->col_idx[k] = (int32_t)idx[k];
done:
    free(ptr);
    free(idx);
    if (st != SPMV_SUCCESS) spmv_destroy(C);
    return st;
}

const spmv_spgemm_method spmv_graphblas_methods[] = {
    {.name = "graphblas:spgemm",
     .summary = "sparse products: GrB_mxm with PLUS_TIMES, by rows",
     .open = open_product,
     .multiply = multiply,
     .fetch = fetch,
     .drop = drop,
     .close = close_product},
    {0},
};
