/* merge_row.c -- a row of C from the merged columns of rows of B.
 *
 * Each product has a key: its column, and below that its number in the order of the products.  The
 * keys of one row of B ascend; neighbours are merged two by two until one sequence is left, and
 * what stands side by side then with one column adds up in the order of the products. */
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

static spmv_status reserve(spmv__spgemm_worker *w, int64_t products, int parts, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (products <= w->room) return st;
    const int64_t room = 2 * products;
    free(w->key);
    free(w->spare);
    free(w->product);
    w->key = w->spare = NULL;
    w->product = NULL;
    w->room = 0;
    SPMV__TRY(spmv__alloc(&w->key, room, sizeof *w->key, "merging", err));
    SPMV__TRY(spmv__alloc(&w->spare, room, sizeof *w->spare, "merging", err));
    SPMV__TRY(spmv__alloc(&w->product, room * parts, sizeof *w->product, "merging", err));
    w->room = room;
done:
    return st;
}

/* Makes keys and products; w->place becomes where the keys of each row of B begin. */
static void make_keys(spmv__spgemm_worker *w, const spmv__spgemm *job, const spmv__spgemm_row *r)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    int32_t *col = (int32_t *)w->spare;
    int64_t n = 0;
    spmv__spgemm_list_products(job, r, col, w->product);
    for (int64_t k = 0; k < r->products; k++)
        w->key[k] = (uint64_t)(uint32_t)col[k] << 32 | (uint64_t)k;
    for (int64_t p = r->begin; p < r->end; p++) {
        w->place[p - r->begin] = n;
        n += B->row_ptr[A->col_idx[p] + 1] - B->row_ptr[A->col_idx[p]];
    }
}

/* to = the keys of two sequences in order.  Which comes next is not foreseeable: no branch. */
static void merge(uint64_t *to, const uint64_t *a, const uint64_t *a_end, const uint64_t *b,
                  const uint64_t *b_end)
{
    while (a < a_end && b < b_end) {
        const bool second = *b < *a;
        *to++ = second ? *b : *a;
        b += second;
        a += !second;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

/* Merges `sequences` sequences, which begin at w->place, until all keys are in order in w->key. */
static void merge_all(spmv__spgemm_worker *w, int64_t sequences, int64_t n)
{
    while (sequences > 1) {
        int64_t made = 0;
        for (int64_t k = 0; k < sequences; k += 2) {
            const int64_t begin = w->place[k], middle = k + 1 < sequences ? w->place[k + 1] : n;
            const int64_t end = k + 2 < sequences ? w->place[k + 2] : n;
            merge(w->spare + begin, w->key + begin, w->key + middle, w->key + middle, w->key + end);
            w->place[made++] = begin;
        }
        uint64_t *merged = w->spare;
        w->spare = w->key;
        w->key = merged;
        sequences = made;
    }
}

static void add_up(spmv__spgemm_worker *w, int64_t n, int parts, bool sums)
{
    spmv__product_row *row = &w->row;
    int64_t last = -1;
    for (int64_t k = 0; k < n; k++) {
        const int64_t col = (int64_t)(w->key[k] >> 32), at = (int64_t)(w->key[k] & UINT32_MAX);
        if (col != last) {
            for (int part = 0; part < parts; part++) row->sum[parts * row->n + part] = 0;
            row->col[row->n++] = (int32_t)col;
            last = col;
        }
        for (int part = 0; sums && part < parts; part++)
            row->sum[parts * (row->n - 1) + part] += w->product[parts * at + part];
    }
}

spmv_status spmv__spgemm_merge_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err)
{
    const int parts = spmv__parts(job->type);
    spmv_status st = reserve(w, r->products, parts, err);
    if (st == SPMV_SUCCESS) st = spmv__spgemm_reserve_places(w, r->end - r->begin, err);
    if (st != SPMV_SUCCESS) return st;
    make_keys(w, job, r);
    merge_all(w, r->end - r->begin, r->products);
    if (parts == 1)
        add_up(w, r->products, 1, job->type != SPMV_PATTERN);
    else
        add_up(w, r->products, 2, true);
    return st;
}
