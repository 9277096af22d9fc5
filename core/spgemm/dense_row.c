/* dense_row.c -- a row of C in an array with a place for each column.
 *
 * Bits say which columns have an entry, and bits of a second level which words of the first are not
 * 0, so that a row with few entries among many columns is found again in the time that it has
 * entries: no columns are sorted.  Columns beyond what the array holds are taken in a next span, in
 * which each row of B goes on where it stopped. */
#include "core/spgemm/product.h"
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

enum {
    SPAN = 1 << 21, /* columns: 16 MB of real sums */
    WORD = 64
};

static int64_t words(int64_t bits)
{
    return (bits + WORD - 1) / WORD;
}

static spmv_status reserve(spmv__spgemm_worker *w, const spmv__spgemm *job, spmv_error *err)
{
    const int64_t columns = job->B.cols < SPAN ? job->B.cols : SPAN;
    spmv_status st = SPMV_SUCCESS;
    if (w->columns >= columns) return st;
    SPMV__TRY(spmv__alloc(&w->sum, columns * spmv__parts(job->type), sizeof *w->sum, "sums", err));
    SPMV__TRY(spmv__alloc(&w->marks, words(columns), sizeof *w->marks, "sums", err));
    SPMV__TRY(spmv__alloc(&w->used, words(words(columns)), sizeof *w->used, "sums", err));
    w->columns = columns;
done:
    return st;
}

static inline void mark(spmv__spgemm_worker *w, uint64_t c)
{
    w->marks[c / WORD] |= (uint64_t)1 << c % WORD;
    w->used[c / (WORD * WORD)] |= (uint64_t)1 << c / WORD % WORD;
}

/* Adds entries q .. end - 1 of B that lie before column `stop`; returns where it stopped. */
SPMV__INLINE int64_t add_entries(spmv__spgemm_worker *w, const spmv_csr *B, spmv_type type,
                                 bool complex_sums, bool sums, spmv_scalar a, int64_t q,
                                 int64_t end, int64_t first, int64_t stop)
{
    for (; q < end && B->col_idx[q] < stop; q++) {
        const uint64_t c = (uint64_t)(B->col_idx[q] - first);
        if (sums)
            spmv__add_product(w->sum, (int64_t)c, complex_sums,
                              spmv__product_of(a, type, B->val, q));
        mark(w, c);
    }
    return q;
}

/* Adds what the rows of B have in columns first .. stop - 1; w->place says where they go on. */
SPMV__INLINE void add_rows(spmv__spgemm_worker *w, const spmv__spgemm *job,
                           const spmv__spgemm_row *r, spmv_type type, bool complex_sums, bool sums,
                           int64_t first, int64_t stop)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    for (int64_t p = r->begin; p < r->end; p++) {
        int64_t *at = &w->place[p - r->begin];
        const spmv_scalar a = sums ? spmv__scalar(A->type, A->val, p) : spmv__number(1, 0);
        *at = add_entries(w, B, type, complex_sums, sums, a, *at, B->row_ptr[A->col_idx[p] + 1],
                          first, stop);
    }
}

typedef void span_sums(spmv__spgemm_worker *w, const spmv__spgemm *job, const spmv__spgemm_row *r,
                       int64_t first, int64_t stop);
#define X(name, type, complex_sums)                                                \
    static void add_##name(spmv__spgemm_worker *w, const spmv__spgemm *job,        \
                           const spmv__spgemm_row *r, int64_t first, int64_t stop) \
    {                                                                              \
        add_rows(w, job, r, type, complex_sums, true, first, stop);                \
    }
SPMV__SPGEMM_TABLE(X)
#undef X

static void add_places(spmv__spgemm_worker *w, const spmv__spgemm *job, const spmv__spgemm_row *r,
                       int64_t first, int64_t stop)
{
    add_rows(w, job, r, SPMV_PATTERN, false, false, first, stop);
}

static span_sums *sums_for(const spmv__spgemm *job)
{
    const bool complex_sums = spmv_type_is_complex(job->type);
    if (job->type == SPMV_PATTERN) return add_places;
#define X(name, type_, complex_) \
    if (job->B.type == type_ && complex_sums == complex_) return add_##name;
    SPMV__SPGEMM_TABLE(X)
#undef X
    return NULL;
}

/* Moves the sums of a span to the row, and leaves zeros. */
SPMV__INLINE void take_sums(spmv__spgemm_worker *w, int64_t first, int64_t width, int parts)
{
    spmv__product_row *row = &w->row;
    for (int64_t u = 0; u < words(words(width)); u++) {
        for (uint64_t used = w->used[u]; used != 0; used &= used - 1) {
            const int64_t word = u * WORD + __builtin_ctzll(used);
            for (uint64_t marks = w->marks[word]; marks != 0; marks &= marks - 1) {
                const int64_t c = word * WORD + __builtin_ctzll(marks);
                row->col[row->n] = (int32_t)(first + c);
                for (int k = 0; k < parts; k++) {
                    row->sum[parts * row->n + k] = w->sum[parts * c + k];
                    w->sum[parts * c + k] = 0;
                }
                row->n++;
            }
            w->marks[word] = 0;
        }
        w->used[u] = 0;
    }
}

spmv_status spmv__spgemm_dense_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err)
{
    const int parts = spmv__parts(job->type);
    span_sums *sums = sums_for(job);
    const spmv_status st = reserve(w, job, err);
    if (st != SPMV_SUCCESS) return st;
    w->row.n = 0;
    for (int64_t first = r->low; first < r->high; first += SPAN) {
        const int64_t left = r->high - first, width = left < SPAN ? left : SPAN;
        sums(w, job, r, first, first + width);
        if (parts == 1)
            take_sums(w, first, width, 1);
        else
            take_sums(w, first, width, 2);
    }
    return st;
}
