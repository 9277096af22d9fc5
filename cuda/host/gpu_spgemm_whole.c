/* gpu_spgemm_whole.c -- C = A B on GPUs, from the host and back, as a whole.
 *
 * Each GPU makes neighbouring rows with equally many products, driven by a thread of its own, so
 * that uploads and downloads overlap.  All count first, so that each knows where in C its rows lie.
 */
#include "core/matrix/format.h"
#include "core/parts/partition.h"
#include "cuda/host/product_part.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct shared_product shared_product;
typedef spmv_status part_step(shared_product *j, int k, spmv_error *err);

/* A thread that takes one step for one GPU. */
typedef struct driver {
    shared_product *product;
    int k;
    part_step *step;
    spmv_status status;
    spmv_error error;
    pthread_t thread;
} driver;

struct shared_product {
    spmv_context *const *ctx;
    int count;
    spmv__prepared_product prepared;
    int64_t *row_begin;       /* [count + 1] owned: who makes which rows */
    spmv__product_part *part; /* [count] owned */
    driver *driver;           /* [count] owned */
    spmv_csr *C;
    spmv__meter meter;
};

/* ---- All GPUs at once ----------------------------------------------------------------------- */

static void *drive(void *argument)
{
    driver *d = argument;
    d->status = d->step(d->product, d->k, &d->error);
    return NULL;
}

/* Take a step for each GPU, on a thread each.  The failure of the first one counts. */
static spmv_status on_all(shared_product *j, part_step *step, spmv_error *err)
{
    int started = 1;
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < j->count; k++) j->driver[k] = (driver){.product = j, .k = k, .step = step};
    while (started < j->count) {
        driver *d = &j->driver[started];
        if (pthread_create(&d->thread, NULL, drive, d) != 0) {
            st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot start a thread for GPU %d",
                            spmv_context_device(j->ctx[started]));
            break;
        }
        started++;
    }
    (void)drive(&j->driver[0]);
    for (int k = 1; k < started; k++) pthread_join(j->driver[k].thread, NULL);
    for (int k = 0; k < started && st == SPMV_SUCCESS; k++) {
        st = j->driver[k].status;
        if (st != SPMV_SUCCESS && err != NULL) *err = j->driver[k].error;
    }
    return st;
}

static spmv_status open_part(shared_product *j, int k, spmv_error *err)
{
    return spmv__product_part_open(&j->part[k], &j->prepared.job, j->row_begin[k],
                                   j->row_begin[k + 1], j->ctx[k], err);
}

static spmv_status make_part(shared_product *j, int k, spmv_error *err)
{
    spmv__gpu *gpu;
    spmv_status st;
    SPMV__TRY(spmv__context_gpu(&gpu, j->ctx[k], err));
    SPMV__TRY(spmv__product_part_make(&j->part[k], j->C, &j->meter, err));
done:
    return st;
}

/* ---- Before and after ----------------------------------------------------------------------- */

static spmv_status check_contexts(spmv_context *const *ctx, int count, spmv_error *err)
{
    spmv__gpu *gpu;
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < count; k++) {
        SPMV__TRY(spmv__context_gpu(&gpu, ctx[k], err));
        for (int i = 0; i < k; i++)
            if (ctx[i] == ctx[k])
                return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                                  "contexts %d and %d are one, which multiplies one part", i, k);
    }
done:
    return st;
}

/* One GPU makes all rows, whose products then nobody needs to know beforehand. */
static spmv_status cut(shared_product *j, const spmv_matrix *A, const spmv_matrix *B,
                       const spmv_spgemm_options *o, spmv_error *err)
{
    const int n = j->count;
    spmv__prepared_product *p = &j->prepared;
    spmv_status st;
    SPMV__TRY(n > 1 ? spmv__product_prepare(p, A, B, o, err)
                    : spmv__product_operands(p, A, B, o, err));
    SPMV__TRY(spmv__alloc(&j->row_begin, n + 1, sizeof *j->row_begin, "several GPUs", err));
    SPMV__TRY(spmv__alloc(&j->part, n, sizeof *j->part, "several GPUs", err));
    SPMV__TRY(spmv__alloc(&j->driver, n, sizeof *j->driver, "several GPUs", err));
    if (n > 1)
        spmv__share_out(j->row_begin, n, p->job.A.rows, p->before);
    else
        j->row_begin[1] = p->job.A.rows;
done:
    return st;
}

/* C gets room for all entries of the product, of which it may keep fewer. */
static spmv_status allocate(shared_product *j, spmv_error *err)
{
    spmv_csr *C = j->C;
    const size_t size = spmv_type_size(C->type);
    int64_t nnz = 0;
    char what[64];
    spmv_status st;
    for (int k = 0; k < j->count; k++) {
        j->part[k].first = nnz;
        nnz += j->part[k].pieces.product.nnz;
    }
    snprintf(what, sizeof what, "the product, of %.3g entries,", (double)nnz);
    SPMV__TRY(
        spmv_check_memory((double)spmv__product_bytes(&j->prepared.job, (double)nnz), what, err));
    SPMV__TRY(
        spmv__alloc(&C->row_ptr, C->rows + 1, sizeof *C->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&C->col_idx, nnz, sizeof *C->col_idx, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc(&C->val, nnz, size, "the product", err));
    spmv__meter_begin(&j->meter, "multiplying", nnz, sizeof(int32_t), C->type);
done:
    return st;
}

/* Where rows keep some of their entries only, there is room between those of two GPUs. */
static void join_parts(shared_product *j)
{
    spmv_csr *C = j->C;
    const size_t size = spmv_type_size(C->type);
    int64_t kept = 0;
    for (int k = 0; k < j->count; k++) {
        const spmv__product_part *part = &j->part[k];
        const size_t n = (size_t)part->kept, from = (size_t)part->first, to = (size_t)kept;
        if (to < from) {
            memmove(C->col_idx + to, C->col_idx + from, n * sizeof *C->col_idx);
            if (size > 0)
                memmove((char *)C->val + to * size, (char *)C->val + from * size, n * size);
        }
        kept += part->kept;
    }
    spmv__counts_to_offsets(C->row_ptr, C->rows);
    C->nnz = kept;
}

/* The time is that of the GPU which multiplied longest. */
static spmv_spgemm_result sum_up(const shared_product *j, spmv_spgemm_gpu_share *share)
{
    spmv_spgemm_result all = {0};
    for (int k = 0; k < j->count; k++) {
        const spmv_spgemm_gpu_share *s = &j->part[k].share;
        all.products += s->products;
        if (s->multiply_s > all.seconds) all.seconds = s->multiply_s;
        if (share != NULL) share[k] = *s;
    }
    return all;
}

/* ---- Products ------------------------------------------------------------------------------- */

static spmv_status multiply(shared_product *j, spmv_matrix *out, spmv_error *err)
{
    const spmv__spgemm *job = &j->prepared.job;
    spmv_status st;
    *out = spmv__blank(SPMV_CSR, job->type, SPMV_GENERAL, job->A.rows, job->B.cols, 0);
    j->C = &out->csr;
    SPMV__TRY(on_all(j, open_part, err));
    SPMV__TRY(allocate(j, err));
    SPMV__TRY(on_all(j, make_part, err));
    join_parts(j);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    return st;
}

static void close_product(shared_product *j)
{
    for (int k = 0; j->part != NULL && k < j->count; k++) spmv__product_part_close(&j->part[k]);
    free(j->driver);
    free(j->part);
    free(j->row_begin);
    spmv__prepared_product_destroy(&j->prepared);
}

spmv_status spmv_spgemm_gpus(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                             const spmv_spgemm_options *options, spmv_context *const *ctx,
                             int count, spmv_spgemm_result *result, spmv_spgemm_gpu_share *share,
                             spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    shared_product j = {
        .ctx = ctx, .count = count, .meter = {.progress = o.progress, .user = o.user}};
    spmv_spgemm_result all;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(out != NULL && out != A && out != B && out != o.mask, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(ctx != NULL && count > 0, err);
    SPMV__TRY(check_contexts(ctx, count, err));
    if (o.serial)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "the serial way is one of the CPU");
    SPMV__TRY(cut(&j, A, B, &o, err));
    SPMV__TRY(multiply(&j, out, err));
    all = sum_up(&j, share);
    if (result != NULL) *result = all;
done:
    close_product(&j);
    return st;
}

spmv_status spmv_spgemm_gpu(spmv_matrix *out, const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *options, spmv_context *ctx,
                            spmv_spgemm_result *result, spmv_error *err)
{
    return spmv_spgemm_gpus(out, A, B, options, &ctx, 1, result, NULL, err);
}
