/* peer_graphblas.c -- SuiteSparse:GraphBLAS as a peer.
 *
 * It keeps matrices and vectors to itself: plan copies A and x, fetch copies y back.  Its threads
 * are those of OpenMP, as ours. */
#include "cli/bench/peers/graphblas_calls.h"
#include "core/multiply/peer.h"
#include "cli/tool/fail.h"

#include <stdlib.h>
#include <string.h>

typedef struct graphblas_plan {
    GrB_Matrix A;
    GrB_Vector x, y; /* one vector */
    GrB_Matrix X, Y; /* several */
    GrB_Semiring semiring;
    bool single;
} graphblas_plan;

/* x as a full vector, and y with room for every element. */
static spmv_status make_vectors(graphblas_plan *p, const spmv_dense *x, int64_t rows,
                                spmv_error *err)
{
    const GrB_Type type = p->single ? GrB_FP32 : GrB_FP64;
    const size_t size = spmv_type_size(x->type);
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    void *copy = graphblas_room(x->rows, size, err);
    if (copy == NULL) goto done;
    if (x->rows > 0) memcpy(copy, x->data, (size_t)x->rows * size);
    TOOL_TRY(
        graphblas_check(GrB_Vector_new(&p->x, type, (GrB_Index)x->rows), "GrB_Vector_new", err));
    TOOL_TRY(graphblas_check(GrB_Vector_new(&p->y, type, (GrB_Index)rows), "GrB_Vector_new", err));
    TOOL_TRY(graphblas_check(
        GxB_Vector_pack_Full(p->x, &copy, ((GrB_Index)x->rows + 1) * size, false, NULL),
        "GxB_Vector_pack_Full", err));
    TOOL_TRY(
        graphblas_check(GrB_Vector_assign_FP64(p->y, NULL, NULL, 0, GrB_ALL, (GrB_Index)rows, NULL),
                        "GrB_Vector_assign", err));
done:
    free(copy);
    return st;
}

/* Multiplies several vectors, which are stored by rows. */
static spmv_status make_matrices(graphblas_plan *p, const spmv_dense *x, int64_t rows,
                                 spmv_error *err)
{
    const GrB_Type type = p->single ? GrB_FP32 : GrB_FP64;
    const GrB_Index n = (GrB_Index)x->rows, cols = (GrB_Index)x->cols;
    const size_t size = spmv_type_size(x->type);
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    void *copy = graphblas_room(x->rows * x->cols, size, err);
    if (copy == NULL) goto done;
    memcpy(copy, x->data, n * cols * size);
    TOOL_TRY(graphblas_check(GrB_Matrix_new(&p->X, type, n, cols), "GrB_Matrix_new", err));
    TOOL_TRY(
        graphblas_check(GrB_Matrix_new(&p->Y, type, (GrB_Index)rows, cols), "GrB_Matrix_new", err));
    TOOL_TRY(graphblas_check(GxB_Matrix_pack_FullR(p->X, &copy, (n * cols + 1) * size, false, NULL),
                             "GxB_Matrix_pack_FullR", err));
done:
    free(copy);
    return st;
}

static void release(void *data)
{
    graphblas_plan *p = data;
    GrB_Matrix_free(&p->A);
    GrB_Matrix_free(&p->X);
    GrB_Matrix_free(&p->Y);
    GrB_Vector_free(&p->x);
    GrB_Vector_free(&p->y);
    free(p);
}

static spmv_status prepare(void **out, spmv_context *ctx, const spmv_matrix *A,
                           const spmv_gpu_matrix *on_gpu, const spmv_dense *x, spmv_dense *y,
                           spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    graphblas_plan *p = NULL;
    (void)ctx;
    (void)on_gpu;
    *out = NULL;
    if (spmv_type_is_complex(x->type) || A->head.rows == 0 || A->head.cols == 0)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED,
                         "GraphBLAS multiplies real matrices with rows and columns");
    TOOL_TRY(graphblas_start(err));
    p = calloc(1, sizeof *p);
    if (p == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate a plan");
    p->single = x->type == SPMV_F32;
    p->semiring = p->single ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64;
    TOOL_TRY(graphblas_import(&p->A, &A->csr, err));
    TOOL_TRY((x->cols > 1 ? make_matrices : make_vectors)(p, x, y->rows, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) release(p);
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    graphblas_plan *p = data;
    spmv_status st;
    TOOL_TRY(
        graphblas_check(GrB_mxv(p->y, NULL, NULL, p->semiring, p->A, p->x, NULL), "GrB_mxv", err));
    TOOL_TRY(graphblas_check(GrB_Vector_wait(p->y, GrB_MATERIALIZE), "GrB_Vector_wait", err));
done:
    return st;
}

static spmv_status multiply_all(void *data, spmv_error *err)
{
    graphblas_plan *p = data;
    spmv_status st;
    TOOL_TRY(
        graphblas_check(GrB_mxm(p->Y, NULL, NULL, p->semiring, p->A, p->X, NULL), "GrB_mxm", err));
    TOOL_TRY(graphblas_check(GrB_Matrix_wait(p->Y, GrB_MATERIALIZE), "GrB_Matrix_wait", err));
done:
    return st;
}

/* Rows without entries have no element in y: they are 0. */
static spmv_status fetch(void *data, spmv_dense *y, spmv_error *err)
{
    graphblas_plan *p = data;
    GrB_Index n = (GrB_Index)y->rows;
    const size_t size = spmv_type_size(y->type);
    GrB_Index *idx = graphblas_room(y->rows, sizeof *idx, err);
    char *val = graphblas_room(y->rows, size, err);
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    if (idx == NULL || val == NULL) goto done;
    TOOL_TRY(graphblas_check(p->single
                                 ? GrB_Vector_extractTuples_FP32(idx, (float *)val, &n, p->y)
                                 : GrB_Vector_extractTuples_FP64(idx, (double *)val, &n, p->y),
                             "GrB_Vector_extractTuples", err));
    memset(y->data, 0, (size_t)y->rows * size);
    for (GrB_Index k = 0; k < n; k++) memcpy((char *)y->data + idx[k] * size, val + k * size, size);
done:
    free(idx);
    free(val);
    return st;
}

static spmv_status fetch_all(void *data, spmv_dense *y, spmv_error *err)
{
    graphblas_plan *p = data;
    const int64_t count = y->rows * y->cols;
    GrB_Index n = (GrB_Index)count;
    const size_t size = spmv_type_size(y->type);
    GrB_Index *row = graphblas_room(count, sizeof *row, err),
              *col = graphblas_room(count, sizeof *col, err);
    char *val = graphblas_room(count, size, err);
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    if (row == NULL || col == NULL || val == NULL) goto done;
    TOOL_TRY(graphblas_check(p->single
                                 ? GrB_Matrix_extractTuples_FP32(row, col, (float *)val, &n, p->Y)
                                 : GrB_Matrix_extractTuples_FP64(row, col, (double *)val, &n, p->Y),
                             "GrB_Matrix_extractTuples", err));
    memset(y->data, 0, (size_t)count * size);
    for (GrB_Index k = 0; k < n; k++)
        memcpy((char *)y->data + (row[k] * (GrB_Index)y->cols + col[k]) * size, val + k * size,
               size);
done:
    free(row);
    free(col);
    free(val);
    return st;
}

const spmv_peer spmv_graphblas_peers[] = {
    {.name = "graphblas:csr",
     .summary = "GrB_mxv with PLUS_TIMES, the matrix by rows",
     .format = SPMV_CSR,
     .plan = prepare,
     .multiply = multiply,
     .fetch = fetch,
     .free = release},
    {.name = "graphblas:mm-csr",
     .summary = "several vectors: GrB_mxm with PLUS_TIMES, the matrix by rows",
     .format = SPMV_CSR,
     .spmm = true,
     .plan = prepare,
     .multiply = multiply_all,
     .fetch = fetch_all,
     .free = release},
    {0},
};
