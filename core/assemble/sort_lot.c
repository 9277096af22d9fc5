/* sort_lot.c -- entries of a bucket by row and column: all of them, or those of some rows.
 *
 * A counting sort by row takes the records straight to the matrix; the counts become row_ptr.
 * Files by row or by column (symmetric ones too) are then done.  Else each row is sorted by column
 * for itself: a short one by counting, for each column, those that are smaller, which needs no
 * branch; a long one least significant digit first, as in coo_sort.c.  Patterns that turn out not
 * to be in order are sorted by row and column at once (sort_keys.c). */
#include "core/assemble/assembly.h"

#include <stdlib.h>

enum {
    DIGIT_BITS = 11, /* 2048 counters */
    SHORT = 32,      /* columns of a row */
    LANES = 8        /* of them at a time */
};

/* Counts become the places where each begins, from `place` on. */
static void counts_to_places(int64_t *next, int64_t n, int64_t place)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t count = next[k];
        next[k] = place;
        place += count;
    }
}

/* ---- By row --------------------------------------------------------------------------------- */

void spmv__count_rows(spmv__assembly *job, int64_t bucket)
{
    const spmv__key key = job->store->writer->key;
    const size_t record = job->store->writer->record;
    int64_t *count = job->A.row_ptr + (bucket << job->store->writer->how.shift) + 1;
    spmv__bucket_cursor cursor = {0};
    while (spmv__bucket_store_next(job->store, bucket, &cursor))
        for (int64_t i = 0; i < cursor.n; i++)
            count[spmv__indices_of(cursor.record + (size_t)i * record, &key).low]++;
}

/* next[r] becomes the end of row r of the lot. */
SPMV__INLINE void move_to_rows(spmv__assembly *job, const spmv__lot *lot, int64_t *next,
                               const int parts)
{
    int32_t *col = job->A.col_idx;
    double *val = job->A.val;
    const spmv__key key = job->store->writer->key;
    const size_t record = (size_t)key.bytes + (size_t)parts * sizeof *val;
    const int64_t before = lot->row - (lot->bucket << job->store->writer->how.shift);
    spmv__bucket_cursor cursor = {0};
    while (spmv__bucket_store_next(job->store, lot->bucket, &cursor)) {
        const unsigned char *p = cursor.record;
        for (int64_t i = 0; i < cursor.n; i++, p += record) {
            const spmv__indices idx = spmv__indices_of(p, &key);
            const uint64_t r = (uint64_t)(idx.low - before);
            if (r >= (uint64_t)lot->rows) continue;
            const int64_t q = next[r]++;
            col[q] = idx.col;
            for (int j = 0; j < parts; j++)
                memcpy(&val[q * parts + j], p + key.bytes + (size_t)j * sizeof *val, sizeof *val);
        }
    }
}

/* Returns whether the columns of each row ascend and none comes twice.  A column that is not
 * greater than the one before has to begin a row: both are counted, without branches. */
static bool rows_ascend(const spmv_csr *A, const spmv__lot *lot)
{
    const int32_t *col = A->col_idx;
    const int64_t *row_end = A->row_ptr + lot->row + 1;
    int64_t falls = 0, begun = 0;
    for (int64_t p = lot->begin + 1; p < lot->end; p++) falls += col[p] <= col[p - 1];
    for (int64_t r = 1; r < lot->rows; r++) {
        const int64_t p = row_end[r - 1];
        begun += lot->begin < p && p < row_end[r] && col[p] <= col[p - 1];
    }
    return falls == begun;
}

/* ---- By column ------------------------------------------------------------------------------ */

/* A row and its values. */
typedef struct line {
    int32_t *col; /* [n] */
    double *val;  /* [n * parts] */
    int64_t n;
} line;

/* For rows of up to SHORT entries; what lies in memory up to the next multiple of LANES is looked
 * at.  False: some columns are equal, and nothing was moved. */
SPMV__INLINE bool sort_short(const line *row, const int parts)
{
    int32_t col[SHORT], smaller[SHORT];
    double val[2 * SHORT];
    const int n = (int)row->n;
    uint64_t taken = 0;
    for (int i = 0; i < n; i += LANES) {
        int32_t own[LANES], count[LANES] = {0};
        memcpy(own, row->col + i, sizeof own);
        for (int j = 0; j < n; j++)
            for (int l = 0; l < LANES; l++) count[l] += row->col[j] < own[l];
        memcpy(col + i, own, sizeof own);
        memcpy(smaller + i, count, sizeof count);
        for (int j = 0; j < LANES * parts; j++) val[i * parts + j] = row->val[i * parts + j];
    }
    for (int i = 0; i < n; i++) taken |= (uint64_t)1 << smaller[i];
    if (taken + 1 != (uint64_t)1 << n) return false;
    for (int i = 0; i < n; i++) {
        row->col[smaller[i]] = col[i];
        for (int j = 0; j < parts; j++) row->val[smaller[i] * parts + j] = val[i * parts + j];
    }
    return true;
}

static bool is_sorted(const line *row)
{
    int64_t falls = 0;
    for (int64_t i = 1; i < row->n; i++) falls += row->col[i] < row->col[i - 1];
    return falls == 0;
}

SPMV__INLINE uint32_t column_of(const double *record, const int parts)
{
    uint32_t col;
    memcpy(&col, record + parts, sizeof col);
    return col;
}

/* Move records (value, column) by the `bits` bits of the column from `shift` on. */
SPMV__INLINE void move_by_digit(const double *from, double *to, int64_t n, int shift, int bits,
                                const int parts)
{
    int64_t next[1 << DIGIT_BITS];
    const uint32_t mask = (1u << bits) - 1;
    memset(next, 0, sizeof *next << bits); /* short rows at the end of a bucket come here too */
    for (int64_t i = 0; i < n; i++)
        next[column_of(from + i * (parts + 1), parts) >> shift & mask]++;
    counts_to_places(next, (int64_t)1 << bits, 0);
    for (int64_t i = 0; i < n; i++, from += parts + 1) {
        const int64_t q = next[column_of(from, parts) >> shift & mask]++;
        memcpy(to + q * (parts + 1), from, (size_t)(parts + 1) * sizeof *to);
    }
}

/* Records go between `from` and `to`.  Equal columns stay in their order. */
SPMV__INLINE void sort_records(const line *row, double *from, double *to, const int parts)
{
    const int size = 64 - __builtin_clzll((uint64_t)row->n);
    const int bits = size < DIGIT_BITS ? size : DIGIT_BITS;
    uint32_t used = 1;
    for (int64_t i = 0; i < row->n; i++) {
        double *record = from + i * (parts + 1);
        for (int j = 0; j < parts; j++) record[j] = row->val[i * parts + j];
        memcpy(record + parts, &row->col[i], sizeof row->col[i]);
        used |= (uint32_t)row->col[i];
    }
    for (int shift = 0; shift < 32 && used >> shift != 0; shift += bits) {
        double *moved = to;
        move_by_digit(from, to, row->n, shift, bits, parts);
        to = from;
        from = moved;
    }
    for (int64_t i = 0; i < row->n; i++, from += parts + 1) {
        for (int j = 0; j < parts; j++) row->val[i * parts + j] = from[j];
        memcpy(&row->col[i], from + parts, sizeof row->col[i]);
    }
}

/* Make room for a row of n entries, unless there was none before; returns whether there is. */
static bool make_room(spmv__long_rows *rows, int64_t n, int parts)
{
    if (rows->status == SPMV_SUCCESS && n > rows->n) {
        free(rows->entry);
        rows->n = n;
        rows->status = spmv__alloc(&rows->entry, 2 * n * (parts + 1), sizeof *rows->entry,
                                   "sorting a row", rows->err);
    }
    return rows->status == SPMV_SUCCESS;
}

SPMV__INLINE void sort_long(const line *row, const spmv__lot_scratch *scratch, const int parts)
{
    spmv__long_rows *longer = scratch->longer;
    if (is_sorted(row)) return;
    if (row->n <= scratch->n) {
        sort_records(row, scratch->entry, scratch->other, parts);
        return;
    }
#pragma omp critical(spmv__long_row)
    if (make_room(longer, row->n, parts))
        sort_records(row, longer->entry, longer->entry + longer->n * (parts + 1), parts);
}

SPMV__INLINE void sort_rows(const spmv__assembly *job, const spmv__lot *lot,
                            const spmv__lot_scratch *scratch, const int parts)
{
    const int64_t *row_end = job->A.row_ptr + lot->row + 1;
    double *val = job->A.val;
    int64_t begin = lot->begin;
    for (int64_t r = 0; r < lot->rows; begin = row_end[r++]) {
        const line row = {job->A.col_idx + begin, parts > 0 ? val + begin * parts : NULL,
                          row_end[r] - begin};
        const bool brief = row.n <= SHORT && begin + SHORT <= lot->end;
        if (row.n > 1 && !(brief && sort_short(&row, parts))) sort_long(&row, scratch, parts);
    }
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* Whether rows of a lot before did not ascend: the rows of all others probably do not, either. */
static bool is_scattered(const spmv__assembly *job)
{
    bool scattered;
#pragma omp atomic read
    scattered = job->scattered;
    return scattered;
}

static void note_scattered(spmv__assembly *job)
{
#pragma omp atomic write
    job->scattered = true;
}

SPMV__INLINE bool sort(spmv__assembly *job, const spmv__lot *lot, const spmv__lot_scratch *scratch,
                       const int parts)
{
    if (parts == 0 && is_scattered(job) && spmv__lot_sort_keys(job, lot, scratch))
        return !rows_ascend(&job->A, lot);
    int64_t *next = job->A.row_ptr + lot->row + 1;
    if (!lot->counted) spmv__count_rows(job, lot->bucket);
    counts_to_places(next, lot->rows, lot->begin);
    move_to_rows(job, lot, next, parts);
    if (rows_ascend(&job->A, lot)) return false;
    note_scattered(job);
    sort_rows(job, lot, scratch, parts);
    return !rows_ascend(&job->A, lot);
}

bool spmv__lot_sort(spmv__assembly *job, const spmv__lot *lot, const spmv__lot_scratch *scratch)
{
    const int parts = spmv__assembly_parts(job);
    return parts == 0   ? sort(job, lot, scratch, 0)
           : parts == 1 ? sort(job, lot, scratch, 1)
                        : sort(job, lot, scratch, 2);
}
