/* gpu_pieces.c -- a product of matrices of the host, made on a GPU in pieces of rows. */
#include "cuda/host/gpu_pieces.h"

#include "core/matrix/format.h"
#include "core/matrix/row_windows.h"
#include "core/matrix/value.h"
#include "cuda/host/gpu_spgemm.h"

#include <stdlib.h>

/* The values that selecting looks at are sums that have not been rounded. */
static spmv_type type_on_gpu(const spmv__spgemm *job)
{
    if (!spmv__selects(job) || job->type == SPMV_PATTERN) return job->type;
    return spmv__double_type(job->type);
}

spmv_status spmv__gpu_pieces_open(spmv__gpu_pieces *out, const spmv__spgemm *job, spmv_context *ctx,
                                  spmv_error *err)
{
    const spmv_matrix A = spmv__wrap_csr(&job->A), B = spmv__wrap_csr(&job->B);
    const bool square = spmv__same_places(&job->A, &job->B) && job->A.val == job->B.val &&
                        job->A.type == job->B.type;
    const int64_t rows = job->A.rows;
    spmv_status st;
    *out = (spmv__gpu_pieces){.job = job};
    SPMV__TRY(spmv__context_gpu(&out->gpu, ctx, err));
    SPMV__TRY(spmv_to_gpu(&out->A, ctx, &A, err));
    if (!square) SPMV__TRY(spmv_to_gpu(&out->B, ctx, &B, err));
    spmv__gpu_product_use_memory(&out->product, ctx);
    out->product.A = out->A;
    out->product.B = out->B != NULL ? out->B : out->A;
    out->product.type = type_on_gpu(job);
    const double start = spmv_now();
    SPMV__TRY(spmv__gpu_product_count(&out->product, out->gpu, err));
    out->seconds = spmv_now() - start;
    SPMV__TRY(
        spmv__alloc(&out->row_ptr, rows + 1, sizeof *out->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__gpu_product_download(&out->product, out->row_ptr, out->gpu, err));
done:
    if (st != SPMV_SUCCESS) spmv__gpu_pieces_close(out);
    return st;
}

void spmv__gpu_pieces_close(spmv__gpu_pieces *p)
{
    spmv__gpu_free(p->gpu_col);
    spmv__gpu_free(p->gpu_val);
    free(p->col);
    free(p->sum);
    free(p->size);
    free(p->row_ptr);
    spmv_gpu_matrix_destroy(p->A);
    spmv_gpu_matrix_destroy(p->B);
    *p = (spmv__gpu_pieces){0};
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static spmv_status choose_room(spmv__gpu_pieces *p, int64_t most, spmv_error *err)
{
    const int64_t rows = p->job->A.rows, nnz = p->row_ptr[rows];
    const int64_t entry = (int64_t)(sizeof(int32_t) + spmv_type_size(p->product.type));
    const spmv_csr C = {.rows = rows, .row_ptr = p->row_ptr};
    const int64_t longest = spmv__longest_row(&C);
    int64_t available;
    spmv_status st;
    SPMV__TRY(spmv__gpu_left(&available, err));
    p->room = available / 16 * 15 / entry;
    if (p->room < longest) {
        SPMV__TRY(spmv__gpu_fits(longest * entry, "the longest row of C", err));
        p->room = longest;
    }
    if (most < longest) most = longest;
    if (p->room > most) p->room = most;
    if (p->room > nnz) p->room = nnz;
done:
    return st;
}

spmv_status spmv__gpu_pieces_allocate(spmv__gpu_pieces *p, int64_t most, spmv_error *err)
{
    const int64_t size = (int64_t)spmv_type_size(p->product.type);
    const size_t sum = sizeof *p->sum * (size_t)spmv__parts(p->job->type);
    spmv_status st;
    SPMV__TRY(choose_room(p, most, err));
    SPMV__TRY(spmv__gpu_alloc((void **)&p->gpu_col, p->room * (int64_t)sizeof *p->gpu_col,
                              "a piece of the product", err));
    SPMV__TRY(spmv__gpu_alloc(&p->gpu_val, p->room * size, "a piece of the product", err));
    if (spmv__selects(p->job)) {
        SPMV__TRY(spmv__alloc(&p->col, p->room, sizeof *p->col, "a piece of the product", err));
        SPMV__TRY(spmv__alloc(&p->sum, p->room, sum, "a piece of the product", err));
        SPMV__TRY(spmv__alloc(&p->size, p->room, sizeof *p->size, "a piece of the product", err));
    }
done:
    return st;
}

/* ---- A piece --------------------------------------------------------------------------------- */

int64_t spmv__gpu_pieces_end(const spmv__gpu_pieces *p, int64_t begin)
{
    const int64_t *row_ptr = p->row_ptr, rows = p->job->A.rows;
    int64_t end = begin + 1;
    while (end < rows && row_ptr[end + 1] - row_ptr[begin] <= p->room) end++;
    return end;
}

/* Keep what is wanted of rows begin .. end - 1, which lie in p->col and p->sum. */
static void select_rows(const spmv__gpu_pieces *p, int64_t begin, int64_t end, int64_t *counts,
                        int32_t *col, void *val)
{
    const int64_t *row_ptr = p->row_ptr, parts = spmv__parts(p->job->type);
    int64_t kept = 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t n = row_ptr[i + 1] - row_ptr[i], at = row_ptr[i] - row_ptr[begin];
        spmv__product_row row = {n, n, p->col + at, p->sum + parts * at, p->size};
        spmv__spgemm_select(p->job, i, &row, 0);
        counts[i - begin] = row.n;
        if (col == NULL || row.n == 0) continue;
        memcpy(col + kept, row.col, (size_t)row.n * sizeof *col);
        spmv__put_sums(p->job->type, val, kept, row.sum, row.n);
        kept += row.n;
    }
}

spmv_status spmv__gpu_pieces_make(spmv__gpu_pieces *p, int64_t begin, int64_t end, int64_t *counts,
                                  int32_t *col, void *val, spmv_error *err)
{
    const int64_t first = p->row_ptr[begin], n = p->row_ptr[end] - first;
    const int64_t size = (int64_t)spmv_type_size(p->product.type);
    const bool selects = spmv__selects(p->job);
    const double start = spmv_now();
    spmv_status st;
    SPMV__TRY(
        spmv__gpu_product_sum(&p->product, begin, end, first, p->gpu_col, p->gpu_val, p->gpu, err));
    SPMV__TRY(spmv__gpu_synchronize(p->gpu, err));
    p->seconds += spmv_now() - start;
    SPMV__TRY(spmv__gpu_download(p->gpu, selects ? p->col : col, p->gpu_col,
                                 n * (int64_t)sizeof *col, err));
    if (size > 0)
        SPMV__TRY(
            spmv__gpu_download(p->gpu, selects ? (void *)p->sum : val, p->gpu_val, n * size, err));
    if (selects) {
        select_rows(p, begin, end, counts, col, val);
    } else {
        for (int64_t i = begin; i < end; i++) counts[i - begin] = p->row_ptr[i + 1] - p->row_ptr[i];
    }
done:
    return st;
}
