/* assemble_test.c -- CSR assembled from buckets against sorting in the most obvious way. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/assemble/assembly.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* A case is made from this. */
typedef struct recipe {
    int64_t rows, cols, n;
    int64_t buckets;
    int order;  /* by row, by column, by chance */
    int crowd;  /* of 8 entries, how many lie in the first row */
    int repeat; /* of 8 entries, how many are given again; of the cols, only 1 in 2^repeat occur */
    spmv_duplicates duplicates;
    bool drop_zeros;
    spmv_type type;
} recipe;

static test_triple *make_entries(const recipe *r, uint64_t seed)
{
    test_triple *entries = calloc((size_t)r->n + 1, sizeof *entries);
    cr_assert_not_null(entries);
    for (int64_t p = 0; p < r->n; p++) {
        const uint64_t k = spmv__mix(seed * 1000003 + (uint64_t)p), m = spmv__mix(k);
        test_triple *t = &entries[p];
        *t = (test_triple){.row = (int64_t)(k % (uint64_t)r->rows),
                           .col = (int64_t)(m % (uint64_t)r->cols)};
        if ((int)(k >> 60) / 2 < r->crowd) t->row = 0;
        if (r->repeat > 0) t->col = t->col >> r->repeat << r->repeat;
        t->val.re = r->type == SPMV_PATTERN ? 1 : (double)((int64_t)(m >> 56) - 128) / 8;
        if (r->type == SPMV_C128) t->val.im = (double)(int64_t)(m >> 53 & 3) - 1;
    }
    if (r->order < 2)
        qsort(entries, (size_t)r->n, sizeof *entries,
              r->order == 0 ? test_by_coordinate : test_by_column);
    for (int64_t p = 0; p < r->n; p++) entries[p].index = p;
    return entries;
}

/* Entries of a stretch. */
static int64_t stretch_length(uint64_t seed, int64_t stretch)
{
    return 1 + (int64_t)(spmv__mix(seed ^ (uint64_t)stretch) / 8 % 100);
}

/* Puts the entries into buckets in stretches of 1 to 100, each by any of a few writers. */
static void put_all(spmv__bucket_store *store, const recipe *r, const test_triple *entries,
                    uint64_t seed)
{
    spmv__bucket_layout how = {.type = r->type,
                               .shift = spmv__bucket_shift(r->rows, r->buckets),
                               .group_shift = (int)(seed % 4),
                               .set_shift = (int)(seed / 4 % 3),
                               .block = SPMV__BUCKET_BLOCK_MIN,
                               .slab = SPMV__BUCKET_BLOCK_MIN << seed % 3,
                               .extent = SPMV__BUCKET_BLOCK_MIN << (2 + seed % 2),
                               .chunk = SPMV__BUCKET_BLOCK_MIN << (3 + seed % 5),
                               .ahead = seed / 16 % 2 == 1};
    int64_t stretches = 0;
    how.buckets = ((r->rows - 1) >> how.shift) + 1;
    /* Keys have all sizes, also with bits to spare. */
    while ((r->cols - 1) >> how.col_bits > 0) how.col_bits++;
    how.col_bits += (int)(seed / 4 % (uint64_t)(32 - how.col_bits));
    cr_assert_eq(spmv__bucket_store_open(store, &how, 1 + (int)(seed % 3), NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < r->n;) {
        const uint64_t k = spmv__mix(seed ^ (uint64_t)stretches);
        spmv__bucket_writer *writer = &store->writer[k % (uint64_t)store->writers];
        const spmv__bucket_ends ends = spmv__bucket_ends_of(writer);
        for (int64_t n = stretch_length(seed, stretches); n > 0 && p < r->n; n--, p++)
            cr_assert(spmv__bucket_put(&ends, how.type, (uint64_t)entries[p].row,
                                       (uint64_t)entries[p].col, entries[p].val));
        cr_assert_eq(spmv__bucket_end_stretch(writer, stretches++, NULL), SPMV_SUCCESS);
    }
    cr_assert_eq(spmv__bucket_store_order(store, stretches, NULL), SPMV_SUCCESS);
}

/* Sorts, merges and drops the same entries; returns how many are left.  again: the first two of
 * those that are merged. */
static int64_t settle_naively(const recipe *r, test_triple *entries, int64_t *merged,
                              test_triple again[2])
{
    int64_t q = 0, end;
    *merged = 0;
    qsort(entries, (size_t)r->n, sizeof *entries, test_by_coordinate);
    for (int64_t p = 0; p < r->n; p = end) {
        test_triple t = entries[p];
        for (end = p + 1; end < r->n && entries[end].row == t.row && entries[end].col == t.col;
             end++) {
            if ((*merged)++ == 0) {
                again[0] = t;
                again[1] = entries[end];
            }
            const spmv_scalar v = entries[end].val;
            if (r->duplicates == SPMV_DUPLICATES_SUM)
                t.val = spmv__number(t.val.re + v.re, t.val.im + v.im);
            if (r->duplicates == SPMV_DUPLICATES_LAST) t.val = v;
        }
        if (r->type == SPMV_PATTERN) t.val.re = 1;
        if (!r->drop_zeros || !spmv__is_zero(t.val)) entries[q++] = t;
    }
    return q;
}

static void assert_first_again(const spmv__assembly *job, const test_triple again[2], uint64_t seed)
{
    int64_t stretch = 0, begin = 0;
    for (; begin + stretch_length(seed, stretch) <= again[1].index; stretch++)
        begin += stretch_length(seed, stretch);
    cr_assert(job->row == again[0].row && job->col == again[0].col, "seed %llu",
              (unsigned long long)seed);
    cr_assert(job->stretch == stretch && job->nth == (again[0].index >= begin ? 2 : 1),
              "seed %llu: number %d of stretch %lld", (unsigned long long)seed, job->nth,
              (long long)job->stretch);
}

static void assert_assembled(const recipe *r, uint64_t seed, int threads)
{
    spmv__bucket_store store = {0};
    spmv__assembly job = {.A = {.type = r->type, .rows = r->rows, .cols = r->cols},
                          .store = &store,
                          .duplicates = r->duplicates,
                          .drop_zeros = r->drop_zeros};
    spmv_error err;
    test_triple *entries = make_entries(r, seed), again[2] = {0};
    int64_t merged, p = 0;
    put_all(&store, r, entries, seed);
    cr_assert_eq(spmv__assemble(&job, threads, &err), SPMV_SUCCESS, "%s", err.message);

    const int64_t nnz = settle_naively(r, entries, &merged, again);
    cr_assert_eq(job.A.nnz, nnz, "seed %llu, %d threads: %lld, not %lld", (unsigned long long)seed,
                 threads, (long long)job.A.nnz, (long long)nnz);
    cr_assert_eq(job.merged, merged, "seed %llu", (unsigned long long)seed);
    if (merged > 0) assert_first_again(&job, again, seed);
    for (int64_t row = 0; row < r->rows; row++)
        for (; p < job.A.row_ptr[row + 1]; p++) {
            const spmv_scalar v = spmv__scalar(job.A.type, job.A.val, p);
            cr_assert(p < nnz && entries[p].row == row && entries[p].col == job.A.col_idx[p] &&
                          entries[p].val.re == v.re && entries[p].val.im == v.im,
                      "seed %llu, %d threads: entry %lld", (unsigned long long)seed, threads,
                      (long long)p);
        }
    cr_assert_eq(p, nnz, "seed %llu", (unsigned long long)seed);
    spmv_csr_destroy(&job.A);
    spmv__bucket_store_close(&store);
    free(entries);
}

Test(assemble, entries_in_any_order_become_rows)
{
    static const spmv_type types[] = {SPMV_PATTERN, SPMV_F64, SPMV_F64, SPMV_C128};
    static const int64_t sides[] = {1, 3, 50, 2000, 70000, 300000};
    for (uint64_t seed = 0; seed < 150; seed++) {
        const uint64_t k = spmv__mix(seed);
        const recipe r = {
            .rows = sides[k % 6],
            .cols = seed % 7 == 0 ? INT32_MAX : sides[k / 6 % 6],
            .n = (int64_t)(k / 36 % (seed % 10 == 0 ? 60000 : 1500)),
            .buckets = (int64_t)1 << k / 7 % 8,
            .order = (int)(k / 11 % 3),
            .crowd = k / 13 % 3 == 0 ? 5 : 0,
            .repeat = k / 17 % 2 == 0 ? 4 : 0,
            .duplicates = (spmv_duplicates)(k / 19 % 3),
            .drop_zeros = k / 23 % 4 == 0,
            .type = types[k / 29 % 4],
        };
        assert_assembled(&r, seed, 1);
        assert_assembled(&r, seed, 3);
    }
}

/* So many entries that there is work for several threads: most rows are longer than what one of
 * them has at hand, and few or most entries are given again. */
Test(assemble, several_threads_sort_long_rows)
{
    static const spmv_type types[] = {SPMV_PATTERN, SPMV_F64, SPMV_C128};
    for (int k = 0; k < 12; k++) {
        const recipe r = {.rows = k % 4 == 3 ? 9000 : 40,
                          .cols = k / 3 % 2 == 0 ? 1000000 : 30000,
                          .n = 500000,
                          .buckets = 16,
                          .order = 2,
                          .crowd = k / 6,
                          .repeat = k / 3 == 3 ? 3 : 0,
                          .duplicates = k % 2 == 0 ? SPMV_DUPLICATES_LAST : SPMV_DUPLICATES_SUM,
                          .drop_zeros = k / 3 == 2,
                          .type = types[k % 3]};
        assert_assembled(&r, (uint64_t)k, 4);
    }
}

/* Patterns with many entries a bucket, whose keys have up to 32 bits, and more: some buckets are
 * cut by rows, and the first that is not in order decides how the others are sorted. */
Test(assemble, patterns_in_no_order_are_sorted_by_whole_keys)
{
    for (uint64_t seed = 0; seed < 48; seed++) {
        const uint64_t k = spmv__mix(seed);
        const recipe r = {.rows = seed % 3 == 0 ? 37 : 1 + (int64_t)(k % 40000),
                          .cols = (int64_t)1 << seed % 24,
                          .n = 4000 + (int64_t)(k >> 20) % 30000,
                          .buckets = 1 + (int64_t)(k >> 36) % 6,
                          .order = k >> 40 & 1 ? 2 : 1,
                          .crowd = k >> 41 & 1 ? 4 : 0,
                          .repeat = k >> 42 & 1 ? 1 : 0,
                          .type = SPMV_PATTERN};
        assert_assembled(&r, seed % 4, 1 + (int)(seed % 3));
        assert_assembled(&r, seed, 1 + (int)(seed % 3));
    }
}

Test(assemble, buckets_are_as_many_as_wanted_unless_rows_are_too_many)
{
    cr_assert_eq(spmv__bucket_shift(0, 1), 0);
    cr_assert_eq(spmv__bucket_shift(1, 1), 0);
    cr_assert_eq(spmv__bucket_shift(1024, 1024), 0);
    cr_assert_eq(spmv__bucket_shift(1025, 1024), 1);
    cr_assert_eq(spmv__bucket_shift(1025, 1), 11);
    cr_assert_eq(spmv__bucket_shift((int64_t)1 << 40, 1), 16);
}
