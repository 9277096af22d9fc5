/* product_memory.cuh -- where the arrays of a product lie.
 *
 * What there is for each row of every product comes from one allocation, and what only some
 * products need from another, whose size is known once the rows have been looked at.  Both are kept
 * for the next product of the context. */
#pragma once

#include "cuda/device/arena.cuh"
#include "cuda/spgemm/row_classes.cuh"

namespace spmv
{

struct product_memory {
    arena rows;   /* of every product, with room for the scratch of scans */
    arena closer; /* of one that is looked at more closely, or has rows that are counted by words */
    arena wide;   /* row offsets of 64 bits */
};

inline product_memory *memory_of(const spmv__gpu_product *p)
{
    return (product_memory *)*p->memory;
}

/* Takes what every product has; what only some have is there for none yet. */
spmv_status take_rows(spmv__gpu_product *p, spmv_error *err);

/* Takes the twins, and room for so many words of B and their offsets, 0: for none. */
spmv_status take_closer(spmv__gpu_product *p, int64_t words, spmv_error *err);

/* Takes what so many rows need that are counted by words, if there are any.  Enqueues clearing the
 * numbers of words. */
spmv_status take_counted_by_words(spmv__gpu_product *p, int64_t n, spmv__gpu *gpu, spmv_error *err);

/* Takes the row offsets, narrow if the products are so few that there can be no more entries. */
spmv_status take_offsets(spmv__gpu_product *p, spmv_error *err);

/* Does so, and enqueues adding up the entries of the rows. */
spmv_status add_up_counts(spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err);

} // namespace spmv
