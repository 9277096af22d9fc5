/* bucket_layout.c -- how many buckets there are for so many entries, and how memory is divided. */
#include "core/assemble/assembly.h"

/* The number of buckets: each has about BUCKET_ENTRIES, which are sorted in the cache; there
 * are no more than BUCKETS_MAX, since the ends of so many chains fit the cache; and the chain of
 * each bucket at each writer has CHAIN_ENTRIES or more, for which blocks are small enough. */
enum { BUCKET_ENTRIES = 1 << 13, BUCKETS_MAX = 1 << 10, CHAIN_ENTRIES = 1 << 11, DEAR_BITS = 2 };

/* The division of their memory: a chain has about CHAIN_BLOCKS blocks; buckets make GROUPS groups,
 * for each of which a writer takes about GROUP_SLABS slabs; groups make up to SETS sets, each of
 * SET_EXTENTS extents or more. */
enum { CHAIN_BLOCKS = 16, GROUPS = 32, GROUP_SLABS = 16, SETS = 4, SET_EXTENTS = 4 };

enum { MANY_WRITERS = 8 }; /* which would wait for each other's pages */

enum { THREAD_ENTRIES = 1 << 15 }; /* entries that make one more thread worth its memory */

int spmv__bucket_threads(int64_t entries, int threads)
{
    const int64_t worth = entries / THREAD_ENTRIES + 1;
    return worth < threads ? (int)worth : threads;
}

/* The largest power of two up to n, within bounds that are powers of two. */
static int64_t power_up_to(int64_t n, int64_t least, int64_t most)
{
    int64_t power = most;
    while (power > least && power > n) power /= 2;
    return power;
}

/* Rows of a bucket, as a shift.  A bit or two of a key that take a further byte are not worth it.
 */
static int choose_shift(int64_t rows, int64_t entries, int writers, int col_bits)
{
    const int64_t most = entries / CHAIN_ENTRIES / writers;
    int64_t wanted = entries / BUCKET_ENTRIES;
    if (wanted > most) wanted = most;
    if (wanted > BUCKETS_MAX) wanted = BUCKETS_MAX;
    const int shift = spmv__bucket_shift(rows, wanted < 1 ? 1 : wanted);
    const int over = (shift + col_bits) % 8;
    const bool dear = over <= DEAR_BITS && over <= shift;
    return dear && (rows - 1) >> (shift - over) < 2 * BUCKETS_MAX ? shift - over : shift;
}

/* Blocks that are not full, and slabs that are not used up, come to a twentieth of the whole;
 * extents that are not, to an eighth or less. */
spmv__bucket_layout spmv__bucket_layout_for(spmv_type type, int64_t rows, int64_t cols,
                                            int64_t entries, int writers)
{
    spmv__bucket_layout how = {.type = type};
    while ((cols - 1) >> how.col_bits > 0) how.col_bits++;
    how.shift = choose_shift(rows, entries, writers, how.col_bits);
    how.buckets = rows == 0 ? 1 : ((rows - 1) >> how.shift) + 1;
    while ((how.buckets - 1) >> how.group_shift >= GROUPS) how.group_shift++;
    const int64_t record = spmv__key_of(&how).bytes + (int64_t)spmv_type_size(how.type);
    const int64_t share = entries / writers * record, whole = share * writers;
    const int64_t sets = power_up_to(whole / SET_EXTENTS / SPMV__BUCKET_EXTENT_MAX, 1, SETS);
    while ((how.buckets - 1) >> how.group_shift >> how.set_shift >= sets) how.set_shift++;
    how.block = power_up_to(share / how.buckets / CHAIN_BLOCKS, SPMV__BUCKET_BLOCK_MIN,
                            SPMV__BUCKET_BLOCK_MAX);
    how.slab =
        power_up_to(share / GROUPS / GROUP_SLABS, SPMV__BUCKET_SLAB_MIN, SPMV__BUCKET_SLAB_MAX);
    how.extent = sets > 1 ? SPMV__BUCKET_EXTENT_MAX : how.slab;
    how.ahead = writers >= MANY_WRITERS && whole >= SPMV__BUCKET_CHUNK_MAX;
    how.chunk = power_up_to(4 * whole, how.extent, SPMV__BUCKET_CHUNK_MAX);
    return how;
}
