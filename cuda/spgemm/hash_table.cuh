/* hash_table.cuh -- a hash table of a warp in shared memory: open addressing, linear probing. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

constexpr int32_t FREE = -1; /* a place of the table; keys are not negative */

/* Returns the place where the search for a key begins. */
__device__ inline unsigned first_slot(int32_t key, unsigned slots)
{
    return __umulhi((unsigned)key * 2654435769u, slots); /* 2^32 over the golden ratio */
}

/* Returns the place of a key, which it takes if nobody has; *fresh says so. */
__device__ inline unsigned slot_of(volatile int32_t *table, unsigned slots, int32_t key,
                                   bool *fresh)
{
    unsigned s = first_slot(key, slots);
    *fresh = false;
    for (;;) {
        int32_t there = table[s];
        if (there == FREE) {
            there = atomicCAS((int32_t *)table + s, FREE, key);
            *fresh = there == FREE;
            if (*fresh) return s;
        }
        if (there == key) return s;
        s = s + 1 < slots ? s + 1 : 0;
    }
}

} // namespace spmv
