/* peer_cusparse.c -- NVIDIA cuSPARSE as a peer, in each of its algorithms.  Its
 * preprocessing is part of the plan. */
#include "core/matrix/value.h"
#include "core/multiply/peer.h"
#include "cuda/gpu/context.h"
#include "cuda/host/cusparse_calls.h"

#include <stdlib.h>

enum {
    SLICE = 32,
    LARGEST_FILL = 4, /* slots per nonzero of sliced ELL, beyond a few */
    SMALL = 1 << 20
};

typedef struct cusparse_plan {
    spmv__gpu *gpu;
    void *offsets, *columns, *values; /* on the GPU: sliced ELL */
    void *buffer;                     /* cuSPARSE's workspace */
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y; /* one vector */
    cusparseDnMatDescr_t X, Y; /* several */
    int algorithm;             /* cusparseSpMVAlg_t, cusparseSpMMAlg_t */
    cudaDataType type;
} cusparse_plan;

static const void *one(const cusparse_plan *p)
{
    return spmv__cusparse_number(p->type, 1);
}
static const void *zero(const cusparse_plan *p)
{
    return spmv__cusparse_number(p->type, 0);
}

/* ---- The matrix ----------------------------------------------------------------------------- */

static cusparseIndexType_t width(const spmv_gpu_matrix *A)
{
    return A->narrow ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}

static spmv_status describe_csr(cusparse_plan *p, const spmv_matrix *A,
                                const spmv_gpu_matrix *on_gpu, spmv_error *err)
{
    const spmv_csr *csr = &on_gpu->shape.csr;
    (void)A;
    return spmv__cusparse_check(cusparseCreateCsr(&p->matrix, csr->rows, csr->cols, csr->nnz,
                                                  csr->row_ptr, csr->col_idx, csr->val,
                                                  width(on_gpu), CUSPARSE_INDEX_32I,
                                                  CUSPARSE_INDEX_BASE_ZERO, p->type),
                                "cusparseCreateCsr", err);
}

static spmv_status describe_coo(cusparse_plan *p, const spmv_matrix *A,
                                const spmv_gpu_matrix *on_gpu, spmv_error *err)
{
    const spmv_coo *coo = &on_gpu->shape.coo;
    (void)A;
    return spmv__cusparse_check(cusparseCreateCoo(&p->matrix, coo->rows, coo->cols, coo->nnz,
                                                  coo->row_idx, coo->col_idx, coo->val,
                                                  width(on_gpu), CUSPARSE_INDEX_BASE_ZERO, p->type),
                                "cusparseCreateCoo", err);
}

/* offset[s] = slots before slice s; a slice is as wide as its longest row. */
static spmv_status slice_offsets(const spmv_csr *A, int64_t slices, int32_t *offset,
                                 spmv_error *err)
{
    int64_t slots = 0;
    for (int64_t s = 0; s < slices; s++) {
        const int64_t end = (s + 1) * SLICE < A->rows ? (s + 1) * SLICE : A->rows;
        int64_t width = 0;
        for (int64_t r = s * SLICE; r < end; r++)
            if (A->row_ptr[r + 1] - A->row_ptr[r] > width)
                width = A->row_ptr[r + 1] - A->row_ptr[r];
        slots += width * SLICE;
        if (slots > INT32_MAX || slots > LARGEST_FILL * A->nnz + SMALL)
            return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                              "sliced ELL would need more than %d slots for each of %lld nonzeros",
                              LARGEST_FILL, (long long)A->nnz);
        offset[s + 1] = (int32_t)slots;
    }
    return SPMV_SUCCESS;
}

/* Entry k of row r sits at offset[r / SLICE] + k * SLICE + r % SLICE; padding is column -1. */
static void fill_slices(const spmv_csr *A, const int32_t *offset, int32_t *col, void *val,
                        int64_t slots)
{
    for (int64_t i = 0; i < slots; i++) col[i] = -1;
    for (int64_t r = 0; r < A->rows; r++)
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int64_t at = offset[r / SLICE] + (p - A->row_ptr[r]) * SLICE + r % SLICE;
            col[at] = A->col_idx[p];
            spmv__copy_value(A->type, val, at, A->val, p);
        }
}

static spmv_status upload(cusparse_plan *p, void **out, const void *data, int64_t bytes,
                          spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__gpu_alloc(out, bytes, "sliced ELL", err));
    SPMV__TRY(spmv__gpu_upload(p->gpu, *out, data, bytes, err));
done:
    return st;
}

static spmv_status describe_sell(cusparse_plan *p, const spmv_matrix *A,
                                 const spmv_gpu_matrix *on_gpu, spmv_error *err)
{
    spmv_status st;
    const spmv_csr *csr = &A->csr;
    const int64_t slices = (csr->rows + SLICE - 1) / SLICE,
                  size = (int64_t)spmv_type_size(csr->type);
    int32_t *offset = NULL, *col = NULL;
    void *val = NULL;
    (void)on_gpu;
    SPMV__TRY(spmv__alloc(&offset, slices + 1, sizeof *offset, "slices", err));
    SPMV__TRY(slice_offsets(csr, slices, offset, err));
    const int64_t slots = offset[slices];
    SPMV__TRY(spmv__alloc(&col, slots, sizeof *col, "sliced ELL", err));
    SPMV__TRY(spmv__alloc(&val, slots, (size_t)size, "sliced ELL", err));
    fill_slices(csr, offset, col, val, slots);
    SPMV__TRY(upload(p, &p->offsets, offset, (slices + 1) * (int64_t)sizeof *offset, err));
    SPMV__TRY(upload(p, &p->columns, col, slots * (int64_t)sizeof *col, err));
    SPMV__TRY(upload(p, &p->values, val, slots * size, err));
    SPMV__TRY(spmv__cusparse_check(
        cusparseCreateSlicedEll(&p->matrix, csr->rows, csr->cols, csr->nnz, slots, SLICE,
                                p->offsets, p->columns, p->values, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->type),
        "cusparseCreateSlicedEll", err));
done:
    free(offset);
    free(col);
    free(val);
    return st;
}

/* ---- The plan ------------------------------------------------------------------------------- */

static void release(void *data)
{
    cusparse_plan *p = data;
    if (p->matrix != NULL) cusparseDestroySpMat(p->matrix);
    if (p->x != NULL) cusparseDestroyDnVec(p->x);
    if (p->y != NULL) cusparseDestroyDnVec(p->y);
    if (p->X != NULL) cusparseDestroyDnMat(p->X);
    if (p->Y != NULL) cusparseDestroyDnMat(p->Y);
    if (p->handle != NULL) cusparseDestroy(p->handle);
    spmv__gpu_free(p->offsets);
    spmv__gpu_free(p->columns);
    spmv__gpu_free(p->values);
    spmv__gpu_free(p->buffer);
    free(p);
}

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/* Prepares the product with one vector. */
static spmv_status prepare_spmv(cusparse_plan *p, const spmv_dense *x, const spmv_dense *y,
                                spmv_error *err)
{
    const cusparseSpMVAlg_t algorithm = (cusparseSpMVAlg_t)p->algorithm;
    size_t bytes = 0;
    spmv_status st;
    SPMV__TRY(spmv__cusparse_check(cusparseCreateDnVec(&p->x, x->rows, x->data, p->type),
                                   "cusparseCreateDnVec", err));
    SPMV__TRY(spmv__cusparse_check(cusparseCreateDnVec(&p->y, y->rows, y->data, p->type),
                                   "cusparseCreateDnVec", err));
    SPMV__TRY(
        spmv__cusparse_check(cusparseSpMV_bufferSize(p->handle, plain, one(p), p->matrix, p->x,
                                                     zero(p), p->y, p->type, algorithm, &bytes),
                             "cusparseSpMV_bufferSize", err));
    SPMV__TRY(spmv__gpu_alloc(&p->buffer, (int64_t)bytes, "cuSPARSE", err));
    SPMV__TRY(
        spmv__cusparse_check(cusparseSpMV_preprocess(p->handle, plain, one(p), p->matrix, p->x,
                                                     zero(p), p->y, p->type, algorithm, p->buffer),
                             "cusparseSpMV_preprocess", err));
done:
    return st;
}

/* Prepares the product with several vectors stored by rows. */
static spmv_status prepare_spmm(cusparse_plan *p, const spmv_dense *x, const spmv_dense *y,
                                spmv_error *err)
{
    const cusparseSpMMAlg_t algorithm = (cusparseSpMMAlg_t)p->algorithm;
    size_t bytes = 0;
    spmv_status st;
    SPMV__TRY(spmv__cusparse_check(
        cusparseCreateDnMat(&p->X, x->rows, x->cols, x->cols, x->data, p->type, CUSPARSE_ORDER_ROW),
        "cusparseCreateDnMat", err));
    SPMV__TRY(spmv__cusparse_check(
        cusparseCreateDnMat(&p->Y, y->rows, y->cols, y->cols, y->data, p->type, CUSPARSE_ORDER_ROW),
        "cusparseCreateDnMat", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSpMM_bufferSize(p->handle, plain, plain, one(p),
                                                           p->matrix, p->X, zero(p), p->Y, p->type,
                                                           algorithm, &bytes),
                                   "cusparseSpMM_bufferSize", err));
    SPMV__TRY(spmv__gpu_alloc(&p->buffer, (int64_t)bytes, "cuSPARSE", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSpMM_preprocess(p->handle, plain, plain, one(p),
                                                           p->matrix, p->X, zero(p), p->Y, p->type,
                                                           algorithm, p->buffer),
                                   "cusparseSpMM_preprocess", err));
done:
    return st;
}

typedef spmv_status (*describer)(cusparse_plan *p, const spmv_matrix *A,
                                 const spmv_gpu_matrix *on_gpu, spmv_error *err);

/* The stream of the context is another one while products are recorded. */
static spmv_status take_stream(const cusparse_plan *p, spmv_error *err)
{
    return spmv__cusparse_check(cusparseSetStream(p->handle, spmv__gpu_stream(p->gpu)),
                                "cusparseSetStream", err);
}

static spmv_status prepare(void **out, spmv_context *ctx, const spmv_matrix *A,
                           const spmv_gpu_matrix *on_gpu, const spmv_dense *x, spmv_dense *y,
                           describer describe, int algorithm, spmv_error *err)
{
    spmv_status st;
    cusparse_plan *p = NULL;

    *out = NULL;
    SPMV__TRY(spmv__alloc(&p, 1, sizeof *p, "a plan", err));
    p->algorithm = algorithm;
    p->type = spmv__cusparse_type(x->type);
    SPMV__TRY(spmv__context_gpu(&p->gpu, ctx, err));
    SPMV__TRY(spmv__cusparse_check(cusparseCreate(&p->handle), "cusparseCreate", err));
    SPMV__TRY(take_stream(p, err));
    SPMV__TRY(describe(p, A, on_gpu, err));
    SPMV__TRY(x->cols > 1 ? prepare_spmm(p, x, y, err) : prepare_spmv(p, x, y, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) release(p);
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    const cusparse_plan *p = data;
    const spmv_status st = take_stream(p, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__cusparse_check(cusparseSpMV(p->handle, plain, one(p), p->matrix, p->x, zero(p),
                                             p->y, p->type, (cusparseSpMVAlg_t)p->algorithm,
                                             p->buffer),
                                "cusparseSpMV", err);
}

static spmv_status multiply_all(void *data, spmv_error *err)
{
    const cusparse_plan *p = data;
    const spmv_status st = take_stream(p, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__cusparse_check(cusparseSpMM(p->handle, plain, plain, one(p), p->matrix, p->X,
                                             zero(p), p->Y, p->type,
                                             (cusparseSpMMAlg_t)p->algorithm, p->buffer),
                                "cusparseSpMM", err);
}

/* X(id, name, format, converts, several vectors, its describer, algorithm, summary) */
#define CUSPARSE_TABLE(X)                                                                         \
    X(csr_1, "cusparse:csr-1", SPMV_CSR, false, false, describe_csr, CUSPARSE_SPMV_CSR_ALG1,      \
      "CSR, algorithm 1, preprocessed")                                                           \
    X(csr_2, "cusparse:csr-2", SPMV_CSR, false, false, describe_csr, CUSPARSE_SPMV_CSR_ALG2,      \
      "CSR, algorithm 2 (deterministic), preprocessed")                                           \
    X(coo_1, "cusparse:coo-1", SPMV_COO, false, false, describe_coo, CUSPARSE_SPMV_COO_ALG1,      \
      "COO, algorithm 1")                                                                         \
    X(coo_2, "cusparse:coo-2", SPMV_COO, false, false, describe_coo, CUSPARSE_SPMV_COO_ALG2,      \
      "COO, algorithm 2 (deterministic)")                                                         \
    X(sell, "cusparse:sell", SPMV_CSR, true, false, describe_sell, CUSPARSE_SPMV_SELL_ALG1,       \
      "sliced ELL, slices of 32 rows")                                                            \
    X(mm_csr_1, "cusparse:mm-csr-1", SPMV_CSR, false, true, describe_csr, CUSPARSE_SPMM_CSR_ALG1, \
      "several vectors: CSR, algorithm 1, preprocessed")                                          \
    X(mm_csr_2, "cusparse:mm-csr-2", SPMV_CSR, false, true, describe_csr, CUSPARSE_SPMM_CSR_ALG2, \
      "several vectors: CSR, algorithm 2 (for vectors by rows), preprocessed")                    \
    X(mm_csr_3, "cusparse:mm-csr-3", SPMV_CSR, false, true, describe_csr, CUSPARSE_SPMM_CSR_ALG3, \
      "several vectors: CSR, algorithm 3, preprocessed")                                          \
    X(mm_coo_4, "cusparse:mm-coo-4", SPMV_COO, false, true, describe_coo, CUSPARSE_SPMM_COO_ALG4, \
      "several vectors: COO, algorithm 4 (for vectors by rows), preprocessed")

#define X(id, name, format, converts, spmm, describe, algorithm, summary)                \
    static spmv_status prepare_##id(void **out, spmv_context *ctx, const spmv_matrix *A, \
                                    const spmv_gpu_matrix *on_gpu, const spmv_dense *x,  \
                                    spmv_dense *y, spmv_error *err)                      \
    {                                                                                    \
        return prepare(out, ctx, A, on_gpu, x, y, describe, algorithm, err);             \
    }
CUSPARSE_TABLE(X)
#undef X

const spmv_peer spmv_cusparse_peers[] = {
#define X(id, label, matrix, from_host, several, describe, algorithm, text) \
    {.name = label,                                                         \
     .summary = text,                                                       \
     .format = matrix,                                                      \
     .gpu = true,                                                           \
     .converts = from_host,                                                 \
     .spmm = several,                                                       \
     .plan = prepare_##id,                                                  \
     .multiply = several ? multiply_all : multiply,                         \
     .free = release},
    CUSPARSE_TABLE(X)
#undef X
        {0},
};
