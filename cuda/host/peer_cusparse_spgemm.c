/* peer_cusparse_spgemm.c -- C = A B by NVIDIA cuSPARSE, in each of its algorithms.
 *
 * A call takes the steps of its manual: the work is estimated, then either the memory, in chunks of
 * a fifth of the products, or the room that computing wants is asked for; C is computed into a
 * buffer of cuSPARSE, and copied into arrays of its size.  All offsets have 32 bits.  The buffers
 * stay until C is dropped, which no time contains: so the times are the least that one could
 * measure. */
#include "core/matrix/format.h"
#include "core/multiply/spgemm_method.h"
#include "cuda/gpu/context.h"
#include "cuda/host/cusparse_calls.h"

#include <stdlib.h>

static const float CHUNK = 0.2f;

typedef struct cusparse_product {
    spmv__gpu *gpu;
    spmv_type type;
    int64_t rows, cols;
    cusparseSpGEMMAlg_t algorithm;
    cudaDataType number;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A, B;
    /* Of one product: NULL before it, and when it has been dropped. */
    cusparseSpMatDescr_t C;
    cusparseSpGEMMDescr_t work;
    void *estimate, *memory, *room; /* buffers on the GPU */
    void *row_ptr, *col_idx, *val;  /* C on the GPU, row_ptr and col_idx int32_t */
    int64_t nnz;                    /* of C */
} cusparse_product;

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/* ---- Open and closed ------------------------------------------------------------------------- */

static void drop(void *data)
{
    cusparse_product *p = data;
    if (p->C != NULL) cusparseDestroySpMat(p->C);
    if (p->work != NULL) cusparseSpGEMM_destroyDescr(p->work);
    void *const arrays[] = {p->estimate, p->memory, p->room, p->row_ptr, p->col_idx, p->val};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) spmv__gpu_free(arrays[i]);
    p->C = NULL;
    p->work = NULL;
    p->estimate = p->memory = p->room = p->row_ptr = p->col_idx = p->val = NULL;
}

static void close_product(void *data)
{
    cusparse_product *p = data;
    drop(p);
    if (p->A != NULL) cusparseDestroySpMat(p->A);
    if (p->B != NULL) cusparseDestroySpMat(p->B);
    if (p->handle != NULL) cusparseDestroy(p->handle);
    cudaGetLastError(); /* what went wrong in cuSPARSE is not for the next kernel to find */
    free(p);
}

static spmv_status describe(cusparseSpMatDescr_t *out, const spmv_gpu_matrix *A,
                            cudaDataType number, spmv_error *err)
{
    const spmv_csr *csr = &A->shape.csr;
    if (!A->narrow || csr->nnz == 0)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "cuSPARSE multiplies matrices of 1 to 2^31 - 1 entries here");
    return spmv__cusparse_check(
        cusparseCreateCsr(out, csr->rows, csr->cols, csr->nnz, csr->row_ptr, csr->col_idx, csr->val,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, number),
        "cusparseCreateCsr", err);
}

static spmv_status open_product(void **out, const spmv_spgemm_method *method, spmv_context *ctx,
                                const spmv_spgemm_operands *in, spmv_error *err)
{
    spmv_status st;
    cusparse_product *p = NULL;

    *out = NULL;
    SPMV__TRY(spmv__alloc(&p, 1, sizeof *p, "a product", err));
    p->type = in->A->head.type;
    p->rows = in->A->head.rows;
    p->cols = in->B->head.cols;
    p->algorithm = (cusparseSpGEMMAlg_t)method->variant;
    p->number = spmv__cusparse_type(p->type);
    SPMV__TRY(spmv__context_gpu(&p->gpu, ctx, err));
    SPMV__TRY(spmv__cusparse_check(cusparseCreate(&p->handle), "cusparseCreate", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSetStream(p->handle, spmv__gpu_stream(p->gpu)),
                                   "cusparseSetStream", err));
    SPMV__TRY(describe(&p->A, in->A_on_gpu, p->number, err));
    SPMV__TRY(describe(&p->B, in->B_on_gpu, p->number, err));
    *out = p;
    p = NULL;
done:
    if (p != NULL) close_product(p);
    return st;
}

/* ---- The steps of a product ------------------------------------------------------------------ */

/* The arguments that the steps share, in their order. */
#define SHARED(p)                                                                     \
    (p)->handle, plain, plain, spmv__cusparse_number((p)->number, 1), (p)->A, (p)->B, \
        spmv__cusparse_number((p)->number, 0), (p)->C, (p)->number, (p)->algorithm, (p)->work

/* The shape of C, whose entries nobody knows yet. */
static spmv_status begin(cusparse_product *p, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__cusparse_check(cusparseSpGEMM_createDescr(&p->work),
                                   "cusparseSpGEMM_createDescr", err));
    SPMV__TRY(spmv__gpu_alloc(&p->row_ptr, (p->rows + 1) * (int64_t)sizeof(int32_t),
                              "rows of the product", err));
    SPMV__TRY(spmv__cusparse_check(cusparseCreateCsr(&p->C, p->rows, p->cols, 0, p->row_ptr, NULL,
                                                     NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                                     CUSPARSE_INDEX_BASE_ZERO, p->number),
                                   "cusparseCreateCsr", err));
done:
    return st;
}

static spmv_status estimate_work(cusparse_product *p, spmv_error *err)
{
    const char *what = "cusparseSpGEMM_workEstimation";
    size_t bytes = 0;
    spmv_status st;
    SPMV__TRY(
        spmv__cusparse_check(cusparseSpGEMM_workEstimation(SHARED(p), &bytes, NULL), what, err));
    SPMV__TRY(spmv__gpu_alloc(&p->estimate, (int64_t)bytes, "cuSPARSE", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSpGEMM_workEstimation(SHARED(p), &bytes, p->estimate),
                                   what, err));
    spmv__gpu_look_at_memory();
done:
    return st;
}

/* *bytes = the room that computing wants. */
static spmv_status estimate_memory(cusparse_product *p, size_t *bytes, spmv_error *err)
{
    const char *what = "cusparseSpGEMM_estimateMemory";
    size_t own = 0;
    spmv_status st;
    SPMV__TRY(spmv__cusparse_check(
        cusparseSpGEMM_estimateMemory(SHARED(p), CHUNK, &own, NULL, NULL), what, err));
    SPMV__TRY(spmv__gpu_alloc(&p->memory, (int64_t)own, "cuSPARSE", err));
    SPMV__TRY(spmv__cusparse_check(
        cusparseSpGEMM_estimateMemory(SHARED(p), CHUNK, &own, p->memory, bytes), what, err));
    spmv__gpu_look_at_memory();
    spmv__gpu_free(p->memory); /* only the estimate needs it */
    p->memory = NULL;
done:
    return st;
}

static spmv_status compute(cusparse_product *p, spmv_error *err)
{
    const bool in_chunks =
        p->algorithm == CUSPARSE_SPGEMM_ALG2 || p->algorithm == CUSPARSE_SPGEMM_ALG3;
    const char *what = "cusparseSpGEMM_compute";
    size_t bytes = 0;
    spmv_status st;
    if (in_chunks)
        SPMV__TRY(estimate_memory(p, &bytes, err));
    else
        SPMV__TRY(spmv__cusparse_check(cusparseSpGEMM_compute(SHARED(p), &bytes, NULL), what, err));
    SPMV__TRY(spmv__gpu_alloc(&p->room, (int64_t)bytes, "cuSPARSE", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSpGEMM_compute(SHARED(p), &bytes, p->room), what, err));
    spmv__gpu_look_at_memory();
done:
    return st;
}

static spmv_status take_result(cusparse_product *p, spmv_error *err)
{
    int64_t rows, cols;
    spmv_status st;
    SPMV__TRY(spmv__cusparse_check(cusparseSpMatGetSize(p->C, &rows, &cols, &p->nnz),
                                   "cusparseSpMatGetSize", err));
    if (p->nnz > INT32_MAX)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "the product has %lld entries, too many for 32-bit offsets",
                          (long long)p->nnz);
    SPMV__TRY(spmv__gpu_alloc(&p->col_idx, p->nnz * (int64_t)sizeof(int32_t), "the product", err));
    SPMV__TRY(
        spmv__gpu_alloc(&p->val, p->nnz * (int64_t)spmv_type_size(p->type), "the product", err));
    SPMV__TRY(spmv__cusparse_check(cusparseCsrSetPointers(p->C, p->row_ptr, p->col_idx, p->val),
                                   "cusparseCsrSetPointers", err));
    SPMV__TRY(spmv__cusparse_check(cusparseSpGEMM_copy(SHARED(p)), "cusparseSpGEMM_copy", err));
done:
    return st;
}

static spmv_status multiply(void *data, spmv_error *err)
{
    cusparse_product *p = data;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(p->gpu, err));
    SPMV__TRY(begin(p, err));
    SPMV__TRY(estimate_work(p, err));
    SPMV__TRY(compute(p, err));
    SPMV__TRY(take_result(p, err));
    SPMV__TRY(spmv__gpu_synchronize(p->gpu, err));
done:
    return st;
}

/* ---- The result ------------------------------------------------------------------------------ */

static spmv_status fetch(void *data, spmv_matrix *C, spmv_error *err)
{
    cusparse_product *p = data;
    spmv_csr *csr = &C->csr;
    int32_t *row_ptr = NULL;
    spmv_status st;
    *C = spmv__blank(SPMV_CSR, p->type, SPMV_GENERAL, p->rows, p->cols, p->nnz);
    SPMV__TRY(spmv__alloc(&csr->row_ptr, p->rows + 1, sizeof *csr->row_ptr, "the product", err));
    SPMV__TRY(spmv__alloc(&csr->col_idx, p->nnz, sizeof *csr->col_idx, "the product", err));
    SPMV__TRY(spmv__alloc(&csr->val, p->nnz, spmv_type_size(p->type), "the product", err));
    SPMV__TRY(spmv__alloc(&row_ptr, p->rows + 1, sizeof *row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__gpu_download(p->gpu, row_ptr, p->row_ptr,
                                 (p->rows + 1) * (int64_t)sizeof *row_ptr, err));
    SPMV__TRY(spmv__gpu_download(p->gpu, csr->col_idx, p->col_idx,
                                 p->nnz * (int64_t)sizeof(int32_t), err));
    SPMV__TRY(spmv__gpu_download(p->gpu, csr->val, p->val,
                                 p->nnz * (int64_t)spmv_type_size(p->type), err));
    for (int64_t r = 0; r <= p->rows; r++) csr->row_ptr[r] = row_ptr[r];
done:
    free(row_ptr);
    if (st != SPMV_SUCCESS) spmv_destroy(C);
    return st;
}

/* X(name, algorithm, summary) */
#define CUSPARSE_TABLE(X)                                                                     \
    X("cusparse:spgemm", CUSPARSE_SPGEMM_DEFAULT, "sparse products: the default algorithm")   \
    X("cusparse:spgemm-1", CUSPARSE_SPGEMM_ALG1, "sparse products: algorithm 1")              \
    X("cusparse:spgemm-2", CUSPARSE_SPGEMM_ALG2, "sparse products: algorithm 2, less memory") \
    X("cusparse:spgemm-3", CUSPARSE_SPGEMM_ALG3, "sparse products: algorithm 3, in fifths")

const spmv_spgemm_method spmv_cusparse_methods[] = {
#define X(label, algorithm, text) \
    {.name = label,               \
     .summary = text,             \
     .gpu = true,                 \
     .variant = algorithm,        \
     .open = open_product,        \
     .multiply = multiply,        \
     .fetch = fetch,              \
     .drop = drop,                \
     .close = close_product},
    CUSPARSE_TABLE(X)
#undef X
        {0},
};
