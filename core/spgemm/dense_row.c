/* dense_row.c -- a row of C in an array with a place for each column.
 *
 * A byte for each column says whether it has an entry, and a byte for each block of columns whether
 * one of them has, so that a row with few entries among many columns is found again in the time
 * that it has entries: no columns are sorted.  While products are added up, bytes are stored and
 * never read; of bits, neighbouring columns share a word, and each has to wait for the one before.
 * Columns beyond what the array holds are taken in a next span, in which each row of B goes on
 * where it stopped. */
#include "core/matrix/format.h"
#include "core/spgemm/product.h"
#include "core/spgemm/spgemm.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <stdlib.h>

enum {
    SPAN = 1 << 21, /* columns: 16 MB of real sums */
    BLOCK = 64,     /* columns */
    MARK = 0xFF,
    CROWDED = 8 /* products for each column */
};

/* The number of blocks that hold `columns` columns. */
static int64_t blocks(int64_t columns)
{
    return (columns + BLOCK - 1) / BLOCK;
}

static spmv_status reserve(spmv__spgemm_worker *w, const spmv__spgemm *job, spmv_error *err)
{
    const int64_t columns = job->B.cols < SPAN ? job->B.cols : SPAN, n = blocks(columns);
    spmv_status st = SPMV_SUCCESS;
    if (w->columns >= columns) return st;
    free(w->sum); /* if there was memory for some of these, and not for all */
    free(w->marks);
    free(w->used);
    w->sum = NULL;
    w->marks = w->used = NULL;
    SPMV__TRY(spmv__alloc(&w->sum, columns * spmv__parts(job->type), sizeof *w->sum, "sums", err));
    SPMV__TRY(spmv__alloc(&w->marks, n * BLOCK, 1, "sums", err));
    SPMV__TRY(spmv__alloc(&w->used, blocks(n) * BLOCK, 1, "sums", err));
    w->columns = columns;
done:
    return st;
}

/* ---- Adding up ------------------------------------------------------------------------------ */

/* A row of B, or a part of it, and what it is multiplied with and added to. */
typedef struct addition {
    spmv__factor a;
    int64_t n;
    const int32_t *col; /* [n] */
    const void *val;    /* [n] */
    int64_t first;      /* column of the first sum */
    double *sum;
    uint8_t *marks, *used;
} addition;

/* All columns follow each other. */
SPMV__INLINE void add_run(const addition *t, spmv_type type, bool complex_sums, bool sums,
                          bool marked)
{
    const int64_t n = t->n, c = t->col[0] - t->first;
    const spmv__factor a = t->a;
    const void *val = t->val;
    double *sum = t->sum + (complex_sums ? 2 * c : c);
    for (int64_t k = 0; sums && k < n; k++)
        spmv__add_to_sum(sum, k, complex_sums, spmv__product_of(a, type, val, k));
    if (marked) return;
    memset(t->marks + c, MARK, (size_t)n);
    memset(t->used + c / BLOCK, MARK, (size_t)((c + n - 1) / BLOCK - c / BLOCK + 1));
}

SPMV__INLINE void add_scattered(const addition *t, spmv_type type, bool complex_sums, bool sums,
                                bool marked)
{
    const addition l = *t; /* what is stored cannot change it */
    for (int64_t k = 0; k < l.n; k++) {
        const int64_t c = l.col[k] - l.first;
        if (sums) spmv__add_to_sum(l.sum, c, complex_sums, spmv__product_of(l.a, type, l.val, k));
        if (marked) continue;
        l.marks[c] = MARK;
        l.used[(uint64_t)c / BLOCK] = MARK;
    }
}

/* Adds what the rows of B have in columns first .. stop - 1; where there are more, w->place says
 * where they go on.  Where many products fall on each column, it is looked now and then whether all
 * columns are marked. */
SPMV__INLINE void add_rows(spmv__spgemm_worker *w, const spmv__spgemm *job,
                           const spmv__spgemm_row *r, spmv_type type, bool complex_sums, bool sums,
                           int64_t first, int64_t stop)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    const int64_t width = stop - first;
    const bool whole = width == r->high - r->low, ahead = spmv__is_long(r);
    addition t = {.first = first, .sum = w->sum, .marks = w->marks, .used = w->used};
    int64_t made = 0;
    bool marked = false;
    for (int64_t p = r->begin; p < r->end; p++) {
        const int64_t k = A->col_idx[p], q = whole ? B->row_ptr[k] : w->place[p - r->begin];
        int64_t end = B->row_ptr[k + 1];
        if (ahead) spmv__ask_ahead(job, p);
        if (!whole) end = w->place[p - r->begin] = spmv__find_first(B->col_idx, q, end, stop);
        if (q == end) continue;
        t.n = end - q;
        t.col = B->col_idx + q;
        if (sums) {
            t.a = spmv__factor_of(A, p);
            t.val = spmv__value_at(type, B->val, q);
        }
        if (t.col[t.n - 1] - t.col[0] == t.n - 1)
            add_run(&t, type, complex_sums, sums, marked);
        else if (marked)
            add_scattered(&t, type, complex_sums, sums, true);
        else
            add_scattered(&t, type, complex_sums, sums, false);
        made += t.n;
        if (made < CROWDED * width) continue;
        marked = marked || memchr(t.marks, 0, (size_t)width) == NULL;
        made = 0;
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

/* Bit k: byte k of a block is a mark; the bytes become 0. */
static inline uint64_t take_marks(uint8_t bytes[BLOCK])
{
    uint64_t marks = 0;
#ifdef __SSE2__
    for (int k = 0; k < BLOCK; k += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(bytes + k));
        marks |= (uint64_t)(uint32_t)_mm_movemask_epi8(some) << k;
    }
#else
    for (int k = 0; k < BLOCK; k++) marks |= (uint64_t)(bytes[k] & 1) << k;
#endif
    memset(bytes, 0, BLOCK);
    return marks;
}

/* Moves the sums of a span to the row, and leaves zeros. */
SPMV__INLINE void take_sums(spmv__spgemm_worker *w, int64_t first, int64_t width, int parts)
{
    int32_t *col = w->row.col;
    double *to = w->row.sum, *sum = w->sum;
    int64_t n = w->row.n;
    for (int64_t u = 0; u < blocks(width); u += BLOCK) {
        for (uint64_t used = take_marks(w->used + u); used != 0; used &= used - 1) {
            const int64_t block = (u + __builtin_ctzll(used)) * BLOCK;
            uint64_t marks = take_marks(w->marks + block);
            if (marks == UINT64_MAX) {
                for (int k = 0; k < BLOCK; k++) col[n + k] = (int32_t)(first + block + k);
                memcpy(to + parts * n, sum + parts * block, (size_t)parts * BLOCK * sizeof *sum);
                memset(sum + parts * block, 0, (size_t)parts * BLOCK * sizeof *sum);
                n += BLOCK;
                continue;
            }
            for (; marks != 0; marks &= marks - 1) {
                const int64_t c = block + __builtin_ctzll(marks);
                col[n] = (int32_t)(first + c);
                for (int k = 0; k < parts; k++) {
                    to[parts * n + k] = sum[parts * c + k];
                    sum[parts * c + k] = 0;
                }
                n++;
            }
        }
    }
    w->row.n = n;
}

/* w->place = where the rows of B begin. */
static spmv_status find_places(spmv__spgemm_worker *w, const spmv__spgemm *job,
                               const spmv__spgemm_row *r, spmv_error *err)
{
    const spmv_status st = spmv__spgemm_reserve_places(w, r->end - r->begin, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = r->begin; p < r->end; p++)
        w->place[p - r->begin] = job->B.row_ptr[job->A.col_idx[p]];
    return st;
}

spmv_status spmv__spgemm_dense_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err)
{
    const int parts = spmv__parts(job->type);
    span_sums *add = add_kind[job->kind];
    spmv_status st = reserve(w, job, err);
    if (st == SPMV_SUCCESS && r->high - r->low > SPAN) st = find_places(w, job, r, err);
    if (st != SPMV_SUCCESS) return st;
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
