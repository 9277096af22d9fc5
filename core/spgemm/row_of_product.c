/* row_of_product.c -- one row of C, in the way that suits it. */
#include "core/spgemm/spgemm.h"

enum {
    CACHED = 1 << 15, /* columns, whose sums lie in the second-level cache */
    MERGED = 128,     /* products that are merged where there are more columns */
    /* In more than WIDE columns a row of less than a product in SPARSE columns is always merged. */
    WIDE = 1 << 21,
    SPARSE = 16,
    NEARBY = 1 << 15 /* entries of B, which lie in the second-level cache */
};

static spmv__spgemm_row count_products(const spmv__spgemm *job, int64_t i)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    spmv__spgemm_row r = {.begin = A->row_ptr[i], .end = A->row_ptr[i + 1], .high = B->cols};
    const bool ahead = B->nnz > NEARBY && !spmv__is_long(&r);
    for (int64_t p = r.begin; ahead && p < r.end; p++) spmv__ask_ahead(job, p);
    for (int64_t p = r.begin; p < r.end; p++)
        r.products += B->row_ptr[A->col_idx[p] + 1] - B->row_ptr[A->col_idx[p]];
    return r;
}

/* Finds the columns that the rows of B span. */
static void find_span(spmv__spgemm_row *r, const spmv__spgemm *job)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    int64_t low = B->cols, high = 0;
    for (int64_t p = r->begin; p < r->end; p++) {
        const int64_t begin = B->row_ptr[A->col_idx[p]], end = B->row_ptr[A->col_idx[p] + 1];
        if (begin == end) continue;
        if (B->col_idx[begin] < low) low = B->col_idx[begin];
        if (B->col_idx[end - 1] >= high) high = (int64_t)B->col_idx[end - 1] + 1;
    }
    r->low = low;
    r->high = high;
}

/* Whether merging is faster: few products among many columns, whose sums would lie far apart. */
static bool merges(const spmv__spgemm_row *r)
{
    const int64_t width = r->high - r->low;
    if (width > WIDE) return r->products < width / SPARSE && r->products <= UINT32_MAX;
    return width > CACHED && r->products <= MERGED;
}

static spmv_status sum_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                           spmv_error *err)
{
    spmv__spgemm_row r = count_products(job, i);
    const int64_t cols = job->B.cols, most = r.products < cols ? r.products : cols;
    if (r.products == 0) return SPMV_SUCCESS;
    spmv_status st = spmv__product_row_reserve(&w->row, most + 1, spmv__parts(job->type), err);
    if (st != SPMV_SUCCESS) return st;
    if (r.end - r.begin == 1) {
        spmv__spgemm_scaled_row(w, job, &r);
    } else if (r.products <= SPMV__FEW_PRODUCTS) {
        spmv__spgemm_few_row(w, job, &r);
    } else {
        if (cols > CACHED) find_span(&r, job);
        st = (merges(&r) ? spmv__spgemm_merge_row : spmv__spgemm_dense_row)(w, job, &r, err);
    }
    return st;
}

spmv_status spmv__spgemm_add_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                 spmv_error *err)
{
    const int64_t first = w->row.n;
    if (spmv__mask_is_empty(job, i)) return SPMV_SUCCESS;
    const spmv_status st = (job->plain ? spmv__spgemm_plain_row : sum_row)(w, job, i, err);
    if (st == SPMV_SUCCESS && spmv__selects(job)) spmv__spgemm_select(job, i, &w->row, first);
    return st;
}

spmv_status spmv__spgemm_sum_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                 spmv_error *err)
{
    w->row.n = 0;
    return spmv__spgemm_add_row(w, job, i, err);
}
