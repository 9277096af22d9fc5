/* gpu_spgemm.c -- C = A B on a GPU, for matrices of the host and of the GPU. */
#include "cuda/host/gpu_spgemm.h"

#include "core/base/meter.h"
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- On the GPU ------------------------------------------------------------------------------ */

static spmv_status check_operand(const spmv_gpu_matrix *A, const spmv_context *ctx,
                                 const char *name, spmv_error *err)
{
    if (A->shape.format != SPMV_CSR)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "%s is %s on the GPU, not csr", name,
                          spmv_format_name(A->shape.format));
    if (A->shape.head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "%s holds one triangle; expand the symmetry first", name);
    if (A->device != ctx->device)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "%s is on GPU %d, and the context is not", name, A->device);
    return SPMV_SUCCESS;
}

spmv_status spmv__gpu_product_check(const spmv_gpu_matrix *A, const spmv_gpu_matrix *B,
                                    const spmv_context *ctx, const spmv_spgemm_options *o,
                                    spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(check_operand(A, ctx, "A", err));
    SPMV__TRY(check_operand(B, ctx, "B", err));
    if (A->shape.head.cols != B->shape.head.rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "A has %" PRId64 " columns and B %" PRId64 " rows, which must be as many",
                          A->shape.head.cols, B->shape.head.rows);
    if (o->transpose_a || o->transpose_b || o->drop_zeros || o->serial || o->mask != NULL ||
        o->top != 0)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a product that stays on the GPU has all its entries");
done:
    return st;
}

static void use_memory_of(spmv__gpu_product *p, spmv_context *ctx)
{
    ctx->free_products = spmv__gpu_product_memory_free;
    p->memory = &ctx->products;
}

/* The loads of the longest row of C, see spmv_gpu_matrix. */
static spmv_status longest_row(int64_t *loads, const spmv__gpu_product *p, spmv__gpu *gpu,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const int64_t rows = p->A->shape.head.rows;
    int64_t *row_ptr = NULL;
    *loads = 0;
    if (rows > SPMV__FEW_ROWS) return st; /* then nobody asks */
    SPMV__TRY(spmv__alloc(&row_ptr, rows + 1, sizeof *row_ptr, "rows of the product", err));
    SPMV__TRY(
        spmv__gpu_download(gpu, row_ptr, p->row_ptr, (rows + 1) * (int64_t)sizeof *row_ptr, err));
    *loads = spmv__longest_loads(row_ptr, rows);
done:
    free(row_ptr);
    return st;
}

spmv_status spmv__gpu_product_matrix(spmv_gpu_matrix **out, const spmv__gpu_product *p,
                                     spmv_context *ctx, spmv_error *err)
{
    const spmv_matrix shape = spmv__blank(SPMV_CSR, p->type, SPMV_GENERAL, p->A->shape.head.rows,
                                          p->B->shape.head.cols, p->nnz);
    spmv_gpu_matrix *C = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__gpu_matrix_blank(&C, ctx, &shape, err));
    SPMV__TRY(spmv__gpu_product_offsets(p, C->shape.csr.row_ptr, C->narrow, ctx->gpu, err));
    SPMV__TRY(longest_row(&C->loads, p, ctx->gpu, err));
    *out = C;
    C = NULL;
done:
    spmv_gpu_matrix_destroy(C);
    return st;
}

spmv_status spmv_spgemm_on_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_gpu_matrix *A,
                               const spmv_gpu_matrix *B, const spmv_spgemm_options *options,
                               spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__gpu_product p = {.A = A, .B = B};
    spmv_gpu_matrix *C = NULL;
    spmv__gpu *gpu;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && B != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    SPMV__TRY(spmv__gpu_product_check(A, B, ctx, &o, err));
    use_memory_of(&p, ctx);
    const double start = spmv_now();
    const spmv_head *a = &A->shape.head, *b = &B->shape.head;
    p.type = o.boolean ? SPMV_PATTERN : spmv_spgemm_type(a->type, b->type);
    SPMV__TRY(spmv__gpu_product_count(&p, gpu, err));
    SPMV__TRY(spmv__gpu_product_matrix(&C, &p, ctx, err));
    SPMV__TRY(
        spmv__gpu_product_sum(&p, 0, a->rows, 0, C->shape.csr.col_idx, C->shape.csr.val, gpu, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
    if (result != NULL) *result = (spmv_spgemm_result){p.all_products, (spmv_now() - start) * 1000};
    *out = C;
    C = NULL;
done:
    spmv_gpu_matrix_destroy(C);
    return st;
}

/* ---- From the host and back ------------------------------------------------------------------ */

/* One product whose rows come back piece by piece. */
typedef struct piecewise {
    const spmv__spgemm *job;
    spmv_context *ctx;
    spmv__gpu *gpu;
    spmv__gpu_product product;
    int64_t room;     /* entries of a piece, at most */
    int32_t *gpu_col; /* [room] on the GPU */
    void *gpu_val;    /* [room] */
    int32_t *col;     /* [room] of a piece whose entries are selected, else NULL */
    double *sum;      /* [room * parts] */
    uint64_t *size;   /* [B.cols, at most room] scratch of selecting */
    spmv_csr *C;
    int64_t products;
    double seconds; /* that the GPU took */
    spmv__meter meter;
} piecewise;

/* Divide what is free on the GPU: pieces as large as fit, for C of so many rows. */
static spmv_status choose_room(piecewise *w, spmv_error *err)
{
    const int64_t *row_ptr = w->C->row_ptr, rows = w->C->rows, nnz = row_ptr[rows];
    const int64_t entry = (int64_t)(sizeof(int32_t) + spmv_type_size(w->product.type));
    int64_t available, longest = 0;
    spmv_status st;
    SPMV__TRY(spmv__gpu_free_bytes(&available, err));
    for (int64_t i = 0; i < rows; i++)
        if (row_ptr[i + 1] - row_ptr[i] > longest) longest = row_ptr[i + 1] - row_ptr[i];
    w->room = available / 16 * 15 / entry;
    if (w->room > nnz) w->room = nnz;
    if (w->room < longest) st = spmv__gpu_fits(longest * entry, "the longest row of C", err);
done:
    return st;
}

static spmv_status allocate_pieces(piecewise *w, spmv_error *err)
{
    const int64_t size = (int64_t)spmv_type_size(w->product.type);
    spmv_status st;
    SPMV__TRY(spmv__gpu_alloc((void **)&w->gpu_col, w->room * (int64_t)sizeof *w->gpu_col,
                              "a piece of the product", err));
    SPMV__TRY(spmv__gpu_alloc(&w->gpu_val, w->room * size, "a piece of the product", err));
    if (spmv__selects(w->job)) {
        SPMV__TRY(spmv__alloc(&w->col, w->room, sizeof *w->col, "a piece of the product", err));
        SPMV__TRY(spmv__alloc(&w->sum, w->room, sizeof *w->sum * (size_t)spmv__parts(w->job->type),
                              "a piece of the product", err));
        SPMV__TRY(spmv__alloc(&w->size, w->room, sizeof *w->size, "a piece of the product", err));
    }
done:
    return st;
}

/* Keep what is wanted of rows begin .. end - 1, which were entries first .. of the whole product;
 * C has *kept entries so far. */
static void select_rows(piecewise *w, int64_t begin, int64_t end, int64_t *kept)
{
    int64_t *row_ptr = w->C->row_ptr;
    const int64_t first = row_ptr[begin], parts = spmv__parts(w->job->type);
    int64_t from = first;
    for (int64_t i = begin; i < end; i++) {
        const int64_t n = row_ptr[i + 1] - from, at = from - first;
        spmv__product_row row = {n, n, w->col + at, w->sum + parts * at, w->size};
        from = row_ptr[i + 1];
        spmv__spgemm_select(w->job, i, &row);
        memcpy(w->C->col_idx + *kept, row.col, (size_t)row.n * sizeof *row.col);
        spmv__put_sums(w->C->type, w->C->val, *kept, row.sum, row.n);
        row_ptr[i] = *kept;
        *kept += row.n;
    }
}

/* Make rows begin .. end - 1, and bring them to the host. */
static spmv_status make_piece(piecewise *w, int64_t begin, int64_t end, int64_t *kept,
                              spmv_error *err)
{
    const int64_t *row_ptr = w->C->row_ptr, first = row_ptr[begin], n = row_ptr[end] - first;
    const int64_t size = (int64_t)spmv_type_size(w->product.type);
    const bool selects = spmv__selects(w->job);
    const double start = spmv_now();
    spmv_status st;
    SPMV__TRY(
        spmv__gpu_product_sum(&w->product, begin, end, first, w->gpu_col, w->gpu_val, w->gpu, err));
    SPMV__TRY(spmv__gpu_synchronize(w->gpu, err));
    w->seconds += spmv_now() - start;
    SPMV__TRY(spmv__gpu_download(w->gpu, selects ? w->col : w->C->col_idx + first, w->gpu_col,
                                 n * (int64_t)sizeof *w->gpu_col, err));
    if (size > 0)
        SPMV__TRY(spmv__gpu_download(w->gpu,
                                     selects ? (void *)w->sum : (char *)w->C->val + first * size,
                                     w->gpu_val, n * size, err));
    spmv__meter_advance(&w->meter, n);
    if (selects) select_rows(w, begin, end, kept);
done:
    return st;
}

static spmv_status make_pieces(piecewise *w, spmv_error *err)
{
    const int64_t rows = w->C->rows;
    int64_t *row_ptr = w->C->row_ptr, kept = 0;
    spmv_status st = SPMV_SUCCESS;
    for (int64_t begin = 0, end; begin < rows; begin = end) {
        const int64_t first = row_ptr[begin];
        for (end = begin + 1; end < rows && row_ptr[end + 1] - first <= w->room;) end++;
        const int64_t next = row_ptr[end];
        SPMV__TRY(make_piece(w, begin, end, &kept, err));
        row_ptr[end] = next;
    }
    if (spmv__selects(w->job)) row_ptr[rows] = kept;
    w->C->nnz = row_ptr[rows];
done:
    return st;
}

/* C gets room for all entries of the product, of which it may keep fewer. */
static spmv_status count_and_allocate(piecewise *w, spmv_error *err)
{
    spmv_csr *C = w->C;
    const double start = spmv_now();
    const size_t size = spmv_type_size(C->type);
    char what[64];
    spmv_status st;
    SPMV__TRY(spmv__gpu_product_count(&w->product, w->gpu, err));
    w->seconds = spmv_now() - start;
    w->products = w->product.all_products;
    const int64_t nnz = w->product.nnz;
    snprintf(what, sizeof what, "the product, of %.3g entries,", (double)nnz);
    SPMV__TRY(spmv_check_memory((double)spmv__product_bytes(w->job, (double)nnz), what, err));
    SPMV__TRY(
        spmv__alloc(&C->row_ptr, C->rows + 1, sizeof *C->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__gpu_download(w->gpu, C->row_ptr, w->product.row_ptr,
                                 (C->rows + 1) * (int64_t)sizeof *C->row_ptr, err));
    SPMV__TRY(spmv__alloc(&C->col_idx, nnz, sizeof *C->col_idx, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc(&C->val, nnz, size, "the product", err));
    spmv__meter_begin(&w->meter, "multiplying", nnz, sizeof(int32_t), C->type);
done:
    return st;
}

/* The values that selecting looks at are sums that have not been rounded. */
static spmv_type type_on_gpu(const spmv__spgemm *job)
{
    if (!spmv__selects(job) || job->type == SPMV_PATTERN) return job->type;
    return spmv_type_is_complex(job->type) ? SPMV_C128 : SPMV_F64;
}

static spmv_status multiply(piecewise *w, spmv_error *err)
{
    const spmv_matrix A = spmv__wrap_csr(&w->job->A), B = spmv__wrap_csr(&w->job->B);
    spmv_gpu_matrix *on_gpu[2] = {NULL, NULL};
    spmv_status st;
    SPMV__TRY(spmv_to_gpu(&on_gpu[0], w->ctx, &A, err));
    if (B.csr.row_ptr != A.csr.row_ptr) SPMV__TRY(spmv_to_gpu(&on_gpu[1], w->ctx, &B, err));
    use_memory_of(&w->product, w->ctx);
    w->product.A = on_gpu[0];
    w->product.B = on_gpu[1] != NULL ? on_gpu[1] : on_gpu[0];
    w->product.type = type_on_gpu(w->job);
    SPMV__TRY(count_and_allocate(w, err));
    SPMV__TRY(choose_room(w, err));
    SPMV__TRY(allocate_pieces(w, err));
    st = make_pieces(w, err);
done:
    spmv__gpu_free(w->gpu_col);
    spmv__gpu_free(w->gpu_val);
    free(w->col);
    free(w->sum);
    free(w->size);
    spmv_gpu_matrix_destroy(on_gpu[0]);
    spmv_gpu_matrix_destroy(on_gpu[1]);
    return st;
}

spmv_status spmv_spgemm_gpu(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *options, spmv_context *ctx,
                            spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__prepared_product p = {0};
    piecewise w = {.ctx = ctx, .meter = {.progress = o.progress, .user = o.user}};
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL && out != A && out != B, err);
    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__context_gpu(&w.gpu, ctx, err));
    if (o.serial)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "the serial way is one of the CPU");
    SPMV__TRY(spmv__product_operands(&p, A, B, &o, err));
    *out = spmv__blank(SPMV_CSR, p.job.type, SPMV_GENERAL, p.job.A.rows, p.job.B.cols, 0);
    w.job = &p.job;
    w.C = &out->csr;
    SPMV__TRY(multiply(&w, err));
    if (result != NULL) *result = (spmv_spgemm_result){w.products, w.seconds * 1000};
done:
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    spmv__prepared_product_destroy(&p);
    return st;
}
