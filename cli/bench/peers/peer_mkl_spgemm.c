/* peer_mkl_spgemm.c -- C = A B by Intel oneMKL, and the columns of C sorted, as ours are. */
#include "cli/bench/peers/mkl_calls.h"
#include "core/multiply/spgemm_method.h"
#include "cli/tool/fail.h"

#include <stdlib.h>
#include <string.h>

typedef struct mkl_product {
    mkl_matrix A, B;
    sparse_matrix_t C; /* NULL: none */
    spmv_type type;
    int64_t rows, cols; /* of C */
} mkl_product;

static void drop(void *data)
{
    mkl_product *p = data;
    if (p->C != NULL) mkl_sparse_destroy(p->C);
    p->C = NULL;
}

static void close_product(void *data)
{
    mkl_product *p = data;
    drop(p);
    mkl_release(&p->A);
    mkl_release(&p->B);
    free(p);
}

static spmv_status open_product(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                                const spmv_spgemm_operands *in, spmv_error *err)
{
    spmv_status st;
    mkl_product *p = calloc(1, sizeof *p);
    (void)method, (void)ctx;
    *out = NULL;
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a product");
    p->type = in->A->head.type;
    p->rows = in->A->head.rows;
    p->cols = in->B->head.cols;
    TOOL_TRY(mkl_import(&p->A, &in->A->csr, err));
    TOOL_TRY(mkl_import(&p->B, &in->B->csr, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) close_product(p);
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    mkl_product *p = data;
    spmv_status st;
    TOOL_TRY(
        mkl_check(mkl_sparse_spmm(SPARSE_OPERATION_NON_TRANSPOSE, p->A.handle, p->B.handle, &p->C),
                  "mkl_sparse_spmm", err));
    TOOL_TRY(mkl_check(mkl_sparse_order(p->C), "mkl_sparse_order", err));
done:
    return st;
}

/* Where the arrays of C are: they stay MKL's. */
static spmv_status look_into(const mkl_product *p, MKL_INT **begin, MKL_INT **end, MKL_INT **col,
                             void **val, spmv_error *err)
{
    sparse_index_base_t base;
    MKL_INT rows, cols;
    return mkl_check(
        p->type == SPMV_F32
            ? mkl_sparse_s_export_csr(p->C, &base, &rows, &cols, begin, end, col, (float **)val)
            : mkl_sparse_d_export_csr(p->C, &base, &rows, &cols, begin, end, col, (double **)val),
        "mkl_sparse_export_csr", err);
}

/* Rows may have gaps between them. */
static spmv_status fetch(void *data, spmv_matrix *C, spmv_error *err)
{
    const mkl_product *p = data;
    const size_t size = spmv_type_size(p->type);
    MKL_INT *begin, *end, *col;
    void *val;
    int64_t nnz = 0;
    spmv_status st;
    *C = (spmv_matrix){.format = SPMV_CSR};
    TOOL_TRY(look_into(p, &begin, &end, &col, &val, err));
    for (int64_t r = 0; r < p->rows; r++) nnz += end[r] - begin[r];
    TOOL_TRY(spmv_csr_create(&C->csr, p->type, p->rows, p->cols, nnz, err));
    for (int64_t r = 0; r < p->rows; r++) {
        const int64_t at = C->csr.row_ptr[r], n = end[r] - begin[r];
        C->csr.row_ptr[r + 1] = at + n;
        if (n == 0) continue;
        memcpy(C->csr.col_idx + at, col + begin[r], (size_t)n * sizeof *col);
        memcpy((char *)C->csr.val + (size_t)at * size, (char *)val + (size_t)begin[r] * size,
               (size_t)n * size);
    }
done:
    return st;
}

const spmv_spgemm_method spmv_mkl_methods[] = {
    {.name = "mkl:spgemm",
     .summary = "sparse products: mkl_sparse_spmm and mkl_sparse_order",
     .open = open_product,
     .multiply = multiply,
     .fetch = fetch,
     .drop = drop,
     .close = close_product},
    {0},
};
