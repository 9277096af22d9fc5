/* sort_keys.c -- entries of a pattern by row and column at once: a radix sort of their keys.
 *
 * Three digits, the lowest first, are counted while the keys come out of the bucket.  They go to
 * and fro between what is at hand and their place in the matrix, where the last move leaves
 * columns.  Nothing depends on where rows begin and end, which no processor foresees where entries
 * are in no order. */
#include "core/assemble/assembly.h"

#include <string.h>

enum {
    KEY_BITS = 32,
    DIGITS = 3,
    DIGIT_BITS_MAX = (KEY_BITS + DIGITS - 1) / DIGITS,
    ROOM = 2 * sizeof(double) / sizeof(uint32_t), /* for keys in two records of a pattern */
    ENTRIES_MIN = 1 << 10                         /* so that the counters are worth their time */
};

/* The keys of a lot, and the counters of their digits. */
typedef struct lot_keys {
    int bits; /* of a digit */
    uint32_t mask;
    uint32_t next[DIGITS][1 << DIGIT_BITS_MAX];
} lot_keys;

SPMV__INLINE uint32_t digit_of(const lot_keys *keys, uint32_t key, int d)
{
    return key >> (d * keys->bits) & keys->mask;
}

/* Put the keys of a lot into `out`; counts digits, and entries in count[row of the lot]. */
static void gather(const spmv__assembly *job, const spmv__lot *lot, lot_keys *keys, uint32_t *out,
                   int64_t *count)
{
    const spmv__bucket_store *store = job->store;
    const spmv__key how = store->writer->key;
    const size_t record = (size_t)how.bytes;
    const uint64_t mask = how.rows << how.col_bits | how.cols;
    const int64_t before = lot->row - (lot->bucket << store->writer->how.shift);
    spmv__bucket_cursor cursor = {0};
    while (spmv__bucket_store_next(store, lot->bucket, &cursor)) {
        const unsigned char *p = cursor.record;
        for (int64_t i = 0; i < cursor.n; i++, p += record) {
            uint64_t key;
            memcpy(&key, p, sizeof key);
            key = spmv__key_order(key) & mask;
            const uint64_t r = (key >> how.col_bits) - (uint64_t)before;
            if (r >= (uint64_t)lot->rows) continue;
            count[r]++;
            *out++ = (uint32_t)key;
            for (int d = 0; d < DIGITS; d++) keys->next[d][digit_of(keys, (uint32_t)key, d)]++;
        }
    }
}

/* Counts of digits become the places where each begins. */
static void counts_to_places(lot_keys *keys)
{
    for (int d = 0; d < DIGITS; d++) {
        uint32_t place = 0;
        for (uint32_t k = 0; k <= keys->mask; k++) {
            const uint32_t count = keys->next[d][k];
            keys->next[d][k] = place;
            place += count;
        }
    }
}

/* Counts of entries become the ends of rows. */
static void counts_to_ends(int64_t *count, int64_t rows, int64_t place)
{
    for (int64_t r = 0; r < rows; r++) count[r] = place += count[r];
}

static void move_keys(lot_keys *keys, const uint32_t *from, uint32_t *to, int64_t n, int d)
{
    for (int64_t i = 0; i < n; i++) to[keys->next[d][digit_of(keys, from[i], d)]++] = from[i];
}

/* The last move. */
static void move_columns(lot_keys *keys, const uint32_t *from, uint32_t *to, int64_t n,
                         uint32_t cols)
{
    const int d = DIGITS - 1;
    for (int64_t i = 0; i < n; i++)
        to[keys->next[d][digit_of(keys, from[i], d)]++] = from[i] & cols;
}

bool spmv__lot_sort_keys(spmv__assembly *job, const spmv__lot *lot,
                         const spmv__lot_scratch *scratch)
{
    const spmv__bucket_writer *like = job->store->writer;
    const int all = like->how.shift + like->key.col_bits;
    const int64_t n = lot->end - lot->begin;
    int64_t *row_end = job->A.row_ptr + lot->row + 1;
    uint32_t *from = (uint32_t *)(void *)scratch->entry;
    uint32_t *to = (uint32_t *)(void *)(job->A.col_idx + lot->begin);
    lot_keys keys;
    if (all > KEY_BITS || n < ENTRIES_MIN || n > ROOM * scratch->n) return false;
    keys.bits = (all + DIGITS - 1) / DIGITS;
    keys.mask = (1u << keys.bits) - 1;
    for (int d = 0; d < DIGITS; d++) memset(keys.next[d], 0, sizeof keys.next[d][0] << keys.bits);
    if (lot->counted) memset(row_end, 0, (size_t)lot->rows * sizeof *row_end);
    gather(job, lot, &keys, from, row_end);
    counts_to_places(&keys);
    counts_to_ends(row_end, lot->rows, lot->begin);
    move_keys(&keys, from, to, n, 0);
    move_keys(&keys, to, from, n, 1);
    move_columns(&keys, from, to, n, (uint32_t)like->key.cols);
    return true;
}
