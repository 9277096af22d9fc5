/* checksum.c -- the checksum of binary files and of matrices in memory: XXH3 by blocks, of
 * many by all threads at once.
 *
 * Seeding each block with its number keeps the sum from missing blocks that changed places. */
#include "formats/binary/binary.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BLOCKS_ALONE = 4 }; /* that one thread sums up in 0.5 ms */

uint64_t spmv__binary_block_checksum(const void *block, int64_t size, int64_t k)
{
    return XXH3_64bits_withSeed(block, (size_t)size, (uint64_t)k);
}

uint64_t spmv__binary_checksum(const void *data, int64_t size)
{
    return spmv__binary_checksum_share(data, size, 0, 1);
}

uint64_t spmv__binary_checksum_share(const void *data, int64_t size, int share, int shares)
{
    const int64_t blocks = size / SPMV__BINARY_BLOCK + (size % SPMV__BINARY_BLOCK != 0);
    const int64_t first = blocks * share / shares, end = blocks * (share + 1) / shares;
    const int64_t begin = first * SPMV__BINARY_BLOCK;
    const int64_t stop = end < blocks ? end * SPMV__BINARY_BLOCK : size;
    if (first == end) return 0;
    return spmv__binary_blocks_checksum((const char *)data + begin, stop - begin, first);
}

uint64_t spmv__binary_blocks_checksum(const void *data, int64_t size, int64_t k)
{
    const int64_t blocks = size / SPMV__BINARY_BLOCK + (size % SPMV__BINARY_BLOCK != 0);
    uint64_t sum = 0;

    if (blocks > BLOCKS_ALONE) spmv__threads_start();
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(spmv__threads(0)) \
    if (blocks > BLOCKS_ALONE)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t begin = b * SPMV__BINARY_BLOCK;
        int64_t rest = size - begin;
        int64_t length = rest < SPMV__BINARY_BLOCK ? rest : SPMV__BINARY_BLOCK;
        sum += spmv__binary_block_checksum((const char *)data + begin, length, k + b);
    }
    return sum;
}

uint64_t spmv_csr_checksum(const spmv_csr *A)
{
    const int64_t value = A->val != NULL ? (int64_t)spmv_type_size(A->type) : 0;
    const uint64_t parts[] = {(uint64_t)A->rows,
                              (uint64_t)A->cols,
                              (uint64_t)A->nnz,
                              (uint64_t)A->type,
                              (uint64_t)A->symmetry,
                              spmv__binary_checksum(A->row_ptr, (A->rows + 1) * 8),
                              spmv__binary_checksum(A->col_idx, A->nnz * 4),
                              spmv__binary_checksum(A->val, A->nnz * value)};
    return XXH3_64bits(parts, sizeof parts);
}
