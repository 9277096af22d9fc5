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
    WORD = 64,
    CROWDED = 8 /* products for each column */
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

/* ---- Adding up ------------------------------------------------------------------------------ */

/* A row of B, or a part of it, and what it is multiplied with and added to. */
typedef struct addition {
    spmv_scalar a;
    int64_t n;
    const int32_t *col; /* [n] */
    const void *val;    /* [n] */
    int64_t first;      /* column of the first sum */
    double *sum;
    uint64_t *marks, *used;
} addition;

static inline void mark(const addition *t, uint64_t word, uint64_t columns)
{
    t->marks[word] |= columns;
    t->used[word / WORD] |= (uint64_t)1 << word % WORD;
}

/* All columns follow each other. */
SPMV__INLINE void add_run(const addition *t, spmv_type type, bool complex_sums, bool sums)
{
    const int64_t n = t->n, c = t->col[0] - t->first;
    const spmv_scalar a = t->a;
    const void *val = t->val;
    double *sum = t->sum + (complex_sums ? 2 * c : c);
    for (int64_t k = 0; sums && k < n; k++)
        spmv__add_product(sum, k, complex_sums, spmv__product_of(a, type, val, k));
    for (uint64_t at = (uint64_t)c, left = (uint64_t)n; left > 0;) {
        const uint64_t room = WORD - at % WORD, some = left < room ? left : room;
        mark(t, at / WORD, ~(uint64_t)0 >> (WORD - some) << at % WORD);
        at += some;
        left -= some;
    }
}

/* Most columns follow the one before: those of a word are marked together. */
SPMV__INLINE void add_runs(const addition *t, spmv_type type, bool complex_sums, bool sums)
{
    const addition l = *t; /* what is stored cannot change it */
    uint64_t word = 0, columns = 0;
    for (int64_t k = 0; k < l.n; k++) {
        const uint64_t c = (uint64_t)(l.col[k] - l.first);
        if (sums)
            spmv__add_product(l.sum, (int64_t)c, complex_sums,
                              spmv__product_of(l.a, type, l.val, k));
        if (c / WORD != word) {
            if (columns != 0) mark(&l, word, columns);
            word = c / WORD;
            columns = 0;
        }
        columns |= (uint64_t)1 << c % WORD;
    }
    mark(&l, word, columns);
}

/* Columns are anywhere: a branch for each new word would be guessed wrong too often. */
SPMV__INLINE void add_scattered(const addition *t, spmv_type type, bool complex_sums, bool sums)
{
    const addition l = *t;
    for (int64_t k = 0; k < l.n; k++) {
        const uint64_t c = (uint64_t)(l.col[k] - l.first);
        if (sums)
            spmv__add_product(l.sum, (int64_t)c, complex_sums,
                              spmv__product_of(l.a, type, l.val, k));
        mark(&l, c / WORD, (uint64_t)1 << c % WORD);
    }
}

/* Most columns have been marked by other rows: what need not be stored, no one has to wait for. */
SPMV__INLINE void add_crowded(const addition *t, spmv_type type, bool complex_sums, bool sums)
{
    const addition l = *t;
    for (int64_t k = 0; k < l.n; k++) {
        const uint64_t c = (uint64_t)(l.col[k] - l.first);
        if (sums)
            spmv__add_product(l.sum, (int64_t)c, complex_sums,
                              spmv__product_of(l.a, type, l.val, k));
        if ((l.marks[c / WORD] >> c % WORD & 1) == 0) mark(&l, c / WORD, (uint64_t)1 << c % WORD);
    }
}

/* The first of entries q .. end - 1 of B that does not lie before column `stop`. */
static int64_t find_stop(const spmv_csr *B, int64_t q, int64_t end, int64_t stop)
{
    while (q < end) {
        const int64_t middle = q + (end - q) / 2;
        if (B->col_idx[middle] < stop)
            q = middle + 1;
        else
            end = middle;
    }
    return q;
}

/* Adds what the rows of B have in columns first .. stop - 1; w->place says where they go on. */
SPMV__INLINE void add_rows(spmv__spgemm_worker *w, const spmv__spgemm *job,
                           const spmv__spgemm_row *r, spmv_type type, bool complex_sums, bool sums,
                           int64_t first, int64_t stop)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    const bool crowded = r->products > CROWDED * (r->high - r->low);
    addition t = {.first = first, .sum = w->sum, .marks = w->marks, .used = w->used};
    for (int64_t p = r->begin; p < r->end; p++) {
        const int64_t k = A->col_idx[p], q = w->place[p - r->begin];
        const int64_t end =
            stop < r->high ? find_stop(B, q, B->row_ptr[k + 1], stop) : B->row_ptr[k + 1];
        if (q == end) continue;
        w->place[p - r->begin] = end;
        t.n = end - q;
        t.col = B->col_idx + q;
        if (sums) {
            t.a = spmv__scalar(A->type, A->val, p);
            t.val = spmv__value_at(type, B->val, q);
        }
        if (t.col[t.n - 1] - t.col[0] == t.n - 1)
            add_run(&t, type, complex_sums, sums);
        else if (job->runs[k])
            add_runs(&t, type, complex_sums, sums);
        else if (crowded)
            add_crowded(&t, type, complex_sums, sums);
        else
            add_scattered(&t, type, complex_sums, sums);
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

static span_sums *const add_kind[SPMV__PRODUCT_KINDS] = {
#define X(name, type, complex_sums) [SPMV__PRODUCT_##name] = add_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
        [SPMV__PRODUCT_places] = add_places,
};

/* ---- The row -------------------------------------------------------------------------------- */

/* Moves the sums of a span to the row, and leaves zeros. */
SPMV__INLINE void take_sums(spmv__spgemm_worker *w, int64_t first, int64_t width, int parts)
{
    int32_t *col = w->row.col;
    double *to = w->row.sum, *sum = w->sum;
    int64_t n = w->row.n;
    for (int64_t u = 0; u < words(words(width)); u++) {
        for (uint64_t used = w->used[u]; used != 0; used &= used - 1) {
            const int64_t word = u * WORD + __builtin_ctzll(used);
            for (uint64_t marks = w->marks[word]; marks != 0; marks &= marks - 1) {
                const int64_t c = word * WORD + __builtin_ctzll(marks);
                col[n] = (int32_t)(first + c);
                for (int k = 0; k < parts; k++) {
                    to[parts * n + k] = sum[parts * c + k];
                    sum[parts * c + k] = 0;
                }
                n++;
            }
            w->marks[word] = 0;
        }
        w->used[u] = 0;
    }
    w->row.n = n;
}

spmv_status spmv__spgemm_dense_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err)
{
    const int parts = spmv__parts(job->type);
    span_sums *add = add_kind[job->kind];
    const spmv_status st = reserve(w, job, err);
    if (st != SPMV_SUCCESS) return st;
    w->row.n = 0;
    for (int64_t first = r->low; first < r->high; first += SPAN) {
        const int64_t left = r->high - first, width = left < SPAN ? left : SPAN;
        add(w, job, r, first, first + width);
        if (parts == 1)
            take_sums(w, first, width, 1);
        else
            take_sums(w, first, width, 2);
    }
    return st;
}
