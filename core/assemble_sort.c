/* assemble_sort.c -- one bucket of entries by row and column.
 *
 * Least significant digit first, as in coo_sort.c, but in the cache, and between two arrays of
 * records: columns by up to 11 bits at a time, then rows, whose counts become row_ptr, into the
 * matrix.  A look at the order in which the entries were given saves most of it: files by row or by
 * column (symmetric ones too) go straight to the matrix. */
#include "assemble.h"

enum {
    DIGIT_BITS = 11, /* 2048 counters */
    DIGITS = 3,      /* that a column has at most */
    STRETCH = 256    /* entries */
};

/* What a look at the entries of a bucket finds. */
typedef struct view {
    bool ascend;          /* each column of a row comes behind those before it */
    uint32_t least, most; /* columns */
} view;

/* A stretch at a time: what is in no order shows that soon.  last is [rows]. */
SPMV__INLINE view look(const spmv__bucket *bucket, const double *record, int32_t *last,
                       const int parts)
{
    const int64_t n = bucket->end - bucket->begin;
    view seen = {.ascend = true, .least = INT32_MAX};
    memset(last, 0xff, (size_t)bucket->rows * sizeof *last);
    for (int64_t from = 0; from < n; from += STRETCH) {
        const int64_t to = n - from > STRETCH ? from + STRETCH : n;
        const bool looks = seen.ascend;
        for (int64_t p = from; p < to; p++, record += parts + 1) {
            const spmv__indices idx = spmv__indices_of(record, parts);
            seen.least = idx.col < seen.least ? idx.col : seen.least;
            seen.most = idx.col > seen.most ? idx.col : seen.most;
            if (!looks) continue;
            seen.ascend &= last[idx.low] < (int32_t)idx.col;
            last[idx.low] = (int32_t)idx.col;
        }
    }
    return seen;
}

/* Counts become the places where each begins, from `place` on. */
static void counts_to_places(int64_t *next, int64_t n, int64_t place)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t count = next[k];
        next[k] = place;
        place += count;
    }
}

/* How columns fall into digits: those of (column - least), `bits` at a time. */
typedef struct digits {
    uint32_t least, mask;
    int n, bits;
    int64_t next[DIGITS][1 << DIGIT_BITS]; /* place of the next entry with each digit */
} digits;

static inline uint32_t digit(const digits *d, int i, uint32_t col)
{
    return (col - d->least) >> (i * d->bits) & d->mask;
}

SPMV__INLINE void count_digits(const view *seen, const double *record, int64_t n, digits *d,
                               const int parts)
{
    const int used = 32 - __builtin_clz((seen->most - seen->least) | 1);
    d->least = seen->least;
    d->n = (used + DIGIT_BITS - 1) / DIGIT_BITS;
    d->bits = (used + d->n - 1) / d->n;
    d->mask = (1u << d->bits) - 1;
    for (int i = 0; i < d->n; i++) memset(d->next[i], 0, sizeof *d->next[i] << d->bits);
    for (int64_t p = 0; p < n; p++, record += parts + 1)
        for (int i = 0; i < d->n; i++)
            d->next[i][digit(d, i, spmv__indices_of(record, parts).col)]++;
    for (int i = 0; i < d->n; i++) counts_to_places(d->next[i], (int64_t)d->mask + 1, 0);
}

SPMV__INLINE void move_by_digit(digits *d, int i, const double *from, int64_t n, double *to,
                                const int parts)
{
    for (int64_t p = 0; p < n; p++, from += parts + 1) {
        const int64_t q = d->next[i][digit(d, i, spmv__indices_of(from, parts).col)]++;
        memcpy(to + q * (parts + 1), from, (size_t)(parts + 1) * sizeof *to);
    }
}

/* Move them to the matrix by row; next[r] becomes the end of row r.  Returns whether two in a row
 * are equal; where what lies before a row looks like one of them, it may be wrong about that. */
SPMV__INLINE bool move_to_rows(spmv__assembly *job, const spmv__bucket *bucket, int64_t *next,
                               const double *from, const int parts)
{
    const int64_t n = bucket->end - bucket->begin;
    int32_t *col = job->A.col_idx;
    double *val = job->A.val;
    bool equals = false;
    for (int64_t p = 0; p < n; p++, from += parts + 1) {
        const spmv__indices idx = spmv__indices_of(from, parts);
        const int64_t q = next[idx.low]++;
        equals |= q > bucket->begin && col[q - 1] == (int32_t)idx.col;
        col[q] = (int32_t)idx.col;
        for (int i = 0; i < parts; i++) val[q * parts + i] = from[i];
    }
    return equals;
}

SPMV__INLINE bool sort(spmv__assembly *job, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch, const int parts)
{
    int64_t *next = job->A.row_ptr + bucket->row + 1;
    const int64_t n = bucket->end - bucket->begin;
    double *from = scratch->entry, *to = scratch->other;
    const view seen = look(bucket, from, scratch->last, parts);
    counts_to_places(next, bucket->rows, bucket->begin);
    if (!seen.ascend) {
        digits d;
        count_digits(&seen, from, n, &d, parts);
        for (int i = 0; i < d.n; i++) {
            double *moved = to;
            move_by_digit(&d, i, from, n, to, parts);
            to = from;
            from = moved;
        }
    }
    return move_to_rows(job, bucket, next, from, parts) && !seen.ascend;
}

bool spmv__bucket_sort(spmv__assembly *job, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch)
{
    const int parts = spmv__assembly_parts(job);
    return parts == 0   ? sort(job, bucket, scratch, 0)
           : parts == 1 ? sort(job, bucket, scratch, 1)
                        : sort(job, bucket, scratch, 2);
}
