/* random.h -- the source of every random number of the suite. */
#pragma once

#include <stdint.h>

/* splitmix64: a hash of its argument. */
static inline uint64_t spmv__mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Number k of stream `seed`, uniform in [0, 1) with 53 bits. */
static inline double spmv__uniform(uint64_t seed, uint64_t k)
{
    return (double)(spmv__mix(spmv__mix(seed) ^ k) >> 11) * 0x1p-53;
}
