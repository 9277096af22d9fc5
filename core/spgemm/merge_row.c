/* merge_row.c -- a row of C from the merged columns of rows of B.
 *
 * Each product has a key: its column, and below that its number in the order of the products.  The
 * keys of one row of B ascend; neighbours are merged two by two until one sequence is left, and
 * what stands side by side then with one column adds up in the order of the products. */
#include "core/spgemm/product.h"
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
SPMV__INLINE int64_t make_products(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_type type, bool complex_sums,
                                   bool sums)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    int64_t n = 0;
    for (int64_t p = r->begin; p < r->end; p++) {
        const int64_t end = B->row_ptr[A->col_idx[p] + 1];
        const spmv_scalar a = sums ? spmv__scalar(A->type, A->val, p) : spmv__number(1, 0);
        int64_t q = w->place[p - r->begin];
        w->place[p - r->begin] = n;
        for (; q < end; q++, n++) {
            w->key[n] = (uint64_t)(uint32_t)B->col_idx[q] << 32 | (uint64_t)n;
            if (!sums) continue;
            const spmv_scalar product = spmv__product_of(a, type, B->val, q);
            w->product[complex_sums ? 2 * n : n] = product.re;
            if (complex_sums) w->product[2 * n + 1] = product.im;
        }
    }
    return n;
}

typedef int64_t products_maker(spmv__spgemm_worker *w, const spmv__spgemm *job,
                               const spmv__spgemm_row *r);
#define X(name, type, complex_sums)                                             \
    static int64_t make_##name(spmv__spgemm_worker *w, const spmv__spgemm *job, \
                               const spmv__spgemm_row *r)                       \
    {                                                                           \
        return make_products(w, job, r, type, complex_sums, true);              \
    }
SPMV__SPGEMM_TABLE(X)
#undef X

static int64_t make_places(spmv__spgemm_worker *w, const spmv__spgemm *job,
                           const spmv__spgemm_row *r)
{
    return make_products(w, job, r, SPMV_PATTERN, false, false);
}

static products_maker *const make_kind[SPMV__PRODUCT_KINDS] = {
#define X(name, type, complex_sums) [SPMV__PRODUCT_##name] = make_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
        [SPMV__PRODUCT_places] = make_places,
};

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
    row->n = 0;
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
    const spmv_status st = reserve(w, r->products, parts, err);
    if (st != SPMV_SUCCESS) return st;
    const int64_t n = make_kind[job->kind](w, job, r);
    merge_all(w, r->end - r->begin, n);
    if (parts == 1)
        add_up(w, n, 1, job->type != SPMV_PATTERN);
    else
        add_up(w, n, 2, true);
    return st;
}
