/* sort_bucket.c -- one bucket of entries by row and column.
 *
 * A counting sort by row takes the records straight to the matrix; the counts become row_ptr.
 * Files by row or by column (symmetric ones too) are then done.  Else each row is sorted by column
 * for itself: a short one by counting, for each column, those that are smaller, which needs no
 * branch; a long one least significant digit first, as in coo_sort.c. */
#include "core/assemble/assembly.h"

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

SPMV__INLINE void count_rows(const spmv__bucket_store *store, int64_t k, int64_t *count,
                             const int parts)
{
    const spmv__key key = store->writer->key;
    const size_t record = (size_t)key.bytes + (size_t)parts * sizeof(double);
    spmv__bucket_cursor cursor = {0};
    while (spmv__bucket_store_next(store, k, &cursor))
        for (int64_t i = 0; i < cursor.n; i++)
            count[spmv__indices_of(cursor.record + (size_t)i * record, &key).low]++;
}

/* next[r] becomes the end of row r. */
SPMV__INLINE void move_to_rows(spmv__assembly *job, int64_t k, int64_t *next, const int parts)
{
    int32_t *col = job->A.col_idx;
    double *val = job->A.val;
    const spmv__key key = job->store->writer->key;
    spmv__bucket_cursor cursor = {0};
    while (spmv__bucket_store_next(job->store, k, &cursor)) {
        const unsigned char *p = cursor.record;
        for (int64_t i = 0; i < cursor.n; i++) {
            const spmv__indices idx = spmv__indices_of(p, &key);
            const int64_t q = next[idx.low]++;
            col[q] = idx.col;
            p += key.bytes;
            for (int j = 0; j < parts; j++, p += sizeof *val)
                memcpy(&val[q * parts + j], p, sizeof *val);
        }
    }
}

/* Returns whether the columns of each row ascend and none comes twice.  A column that does not come
 * behind the one before it has to begin a row: both are counted, without branches. */
static bool rows_ascend(const spmv_csr *A, const spmv__bucket *bucket)
{
    const int32_t *col = A->col_idx;
    const int64_t *row_end = A->row_ptr + bucket->row + 1;
    int64_t falls = 0, begun = 0;
    for (int64_t p = bucket->begin + 1; p < bucket->end; p++) falls += col[p] <= col[p - 1];
    for (int64_t r = 1; r < bucket->rows; r++) {
        const int64_t p = row_end[r - 1];
        begun += bucket->begin < p && p < row_end[r] && col[p] <= col[p - 1];
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

/* Equal columns stay in their order. */
SPMV__INLINE void sort_long(const line *row, const spmv__bucket_scratch *scratch, const int parts)
{
    const int size = 64 - __builtin_clzll((uint64_t)row->n);
    const int bits = size < DIGIT_BITS ? size : DIGIT_BITS;
    double *from = scratch->entry, *to = scratch->other;
    uint32_t used = 1;
    if (is_sorted(row)) return;
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

SPMV__INLINE void sort_rows(const spmv__assembly *job, const spmv__bucket *bucket,
                            const spmv__bucket_scratch *scratch, const int parts)
{
    const int64_t *row_end = job->A.row_ptr + bucket->row + 1;
    double *val = job->A.val;
    int64_t begin = bucket->begin;
    for (int64_t r = 0; r < bucket->rows; begin = row_end[r++]) {
        const line row = {job->A.col_idx + begin, parts > 0 ? val + begin * parts : NULL,
                          row_end[r] - begin};
        const bool brief = row.n <= SHORT && begin + SHORT <= bucket->end;
        if (row.n > 1 && !(brief && sort_short(&row, parts))) sort_long(&row, scratch, parts);
    }
}

/* ---- Both ----------------------------------------------------------------------------------- */

SPMV__INLINE bool sort(spmv__assembly *job, int64_t k, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch, const int parts)
{
    int64_t *next = job->A.row_ptr + bucket->row + 1;
    count_rows(job->store, k, next, parts);
    counts_to_places(next, bucket->rows, bucket->begin);
    move_to_rows(job, k, next, parts);
    if (rows_ascend(&job->A, bucket)) return false;
    sort_rows(job, bucket, scratch, parts);
    return !rows_ascend(&job->A, bucket);
}

bool spmv__bucket_sort(spmv__assembly *job, int64_t k, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch)
{
    const int parts = spmv__assembly_parts(job);
    return parts == 0   ? sort(job, k, bucket, scratch, 0)
           : parts == 1 ? sort(job, k, bucket, scratch, 1)
                        : sort(job, k, bucket, scratch, 2);
}
