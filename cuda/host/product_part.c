/* product_part.c -- see product_part.h.
 *
 * A part has views of A, B and the mask.  Rows of B that it does not meet are empty in its view,
 * so that the columns of A stay as they are. */
#include "cuda/host/product_part.h"

#include <stdlib.h>

/* ---- Views ---------------------------------------------------------------------------------- */

/* A view has the entries from `first` to `end` of a matrix. */
static void take_entries(spmv_csr *A, int64_t first, int64_t end)
{
    A->nnz = end - first;
    A->col_idx += first;
    if (A->val != NULL) A->val = (char *)A->val + (size_t)first * spmv_type_size(A->type);
}

/* *A = its rows begin .. end - 1.  *own gets the row pointers, which count from 0. */
static spmv_status view_rows(spmv_csr *A, int64_t begin, int64_t end, int64_t **own,
                             spmv_error *err)
{
    const int64_t *ptr = A->row_ptr + begin;
    const spmv_status st =
        spmv__alloc(own, end - begin + 1, sizeof **own, "rows of a part of A", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r <= end - begin; r++) (*own)[r] = ptr[r] - ptr[0];
    take_entries(A, ptr[0], ptr[end - begin]);
    A->rows = end - begin;
    A->row_ptr = *own;
    return st;
}

/* Only columns *low .. *high - 1 of A may have entries. */
static void bound_columns(const spmv_csr *A, int64_t *low, int64_t *high)
{
    *low = A->cols;
    *high = 0;
    for (int64_t r = 0; r < A->rows; r++) {
        const int64_t begin = A->row_ptr[r], end = A->row_ptr[r + 1];
        if (begin == end) continue;
        if (A->col_idx[begin] < *low) *low = A->col_idx[begin];
        if (A->col_idx[end - 1] >= *high) *high = A->col_idx[end - 1] + 1;
    }
    if (*low > *high) *low = *high;
}

/* *B = B with all rows empty but low .. high - 1.  *own gets the row pointers. */
static spmv_status view_band(spmv_csr *B, int64_t low, int64_t high, int64_t **own, spmv_error *err)
{
    const int64_t *ptr = B->row_ptr, first = ptr[low], n = ptr[high] - first;
    const spmv_status st = spmv__alloc(own, B->rows + 1, sizeof **own, "rows of a part of B", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = low; r < high; r++) (*own)[r] = ptr[r] - first;
    for (int64_t r = high; r <= B->rows; r++) (*own)[r] = n;
    take_entries(B, first, first + n);
    B->row_ptr = *own;
    return st;
}

/* ---- A part --------------------------------------------------------------------------------- */

static spmv_status open_rows(spmv__product_part *part, int64_t begin, int64_t end,
                             spmv_context *ctx, spmv_error *err)
{
    spmv__spgemm *job = &part->job;
    int64_t *of_a = NULL, *of_b = NULL, low, high;
    spmv_status st;
    if (end - begin < job->A.rows) {
        SPMV__TRY(view_rows(&job->A, begin, end, &of_a, err));
        bound_columns(&job->A, &low, &high);
        if (high - low < job->B.rows) SPMV__TRY(view_band(&job->B, low, high, &of_b, err));
    }
    part->share = (spmv_spgemm_gpu_share){.rows = job->A.rows, .entries_of_b = job->B.nnz};
    if (job->mask != NULL) {
        part->mask = *job->mask;
        part->mask.row_ptr += begin;
        job->mask = &part->mask;
    }
    SPMV__TRY(spmv__gpu_pieces_open(&part->pieces, job, ctx, err));
    part->share.products = part->pieces.product.all_products;
done:
    if (of_a != NULL) job->A.row_ptr = NULL; /* the GPU has them now */
    if (of_b != NULL) job->B.row_ptr = NULL;
    free(of_a);
    free(of_b);
    return st;
}

spmv_status spmv__product_part_open(spmv__product_part *out, const spmv__spgemm *whole,
                                    int64_t begin, int64_t end, spmv_context *ctx, spmv_error *err)
{
    const double start = spmv_now();
    *out = (spmv__product_part){.job = *whole, .begin = begin};
    const spmv_status st = open_rows(out, begin, end, ctx, err);
    out->share.upload_s = spmv_now() - start - out->pieces.seconds;
    return st;
}

void spmv__product_part_close(spmv__product_part *part)
{
    if (part->pieces.gpu == NULL) return;
    (void)spmv__gpu_select(part->pieces.gpu, NULL);
    spmv__gpu_pieces_close(&part->pieces);
}

static spmv_status make_pieces(spmv__product_part *part, spmv_csr *C, spmv__meter *meter,
                               spmv_error *err)
{
    const size_t size = spmv_type_size(C->type);
    spmv__gpu_pieces *p = &part->pieces;
    int64_t *counts = C->row_ptr + part->begin + 1;
    for (int64_t begin = 0, end; begin < part->job.A.rows; begin = end) {
        const int64_t at = part->first + part->kept;
        void *val = size > 0 ? (char *)C->val + (size_t)at * size : NULL;
        end = spmv__gpu_pieces_end(p, begin);
        const spmv_status st =
            spmv__gpu_pieces_make(p, begin, end, counts + begin, C->col_idx + at, val, err);
        if (st != SPMV_SUCCESS) return st;
        for (int64_t i = begin; i < end; i++) part->kept += counts[i];
        spmv__meter_advance(meter, p->row_ptr[end] - p->row_ptr[begin]);
    }
    return SPMV_SUCCESS;
}

spmv_status spmv__product_part_make(spmv__product_part *part, spmv_csr *C, spmv__meter *meter,
                                    spmv_error *err)
{
    const double start = spmv_now(), before = part->pieces.seconds;
    spmv_status st;
    SPMV__TRY(spmv__gpu_pieces_allocate(&part->pieces, INT64_MAX, err));
    SPMV__TRY(make_pieces(part, C, meter, err));
    part->share.multiply_s = part->pieces.seconds;
    part->share.download_s = spmv_now() - start - (part->pieces.seconds - before);
done:
    return st;
}
