/* wide.cuh -- several neighbouring entries in one load. */
#ifndef SPMV_WIDE_CUH
#define SPMV_WIDE_CUH

#include "warp.cuh"

namespace spmv
{

constexpr int WIDTH = 4; /* entries per load */

/* WIDTH values, aligned so that they are loaded together: 16 bytes at a time where they have
 * them. */
template <class V>
struct alignas(WIDTH * sizeof(V) < 16 ? WIDTH * sizeof(V) : 16) wide {
    V at[WIDTH];
};

/* ONCE: what is loaded passes by once, see load_once. */
template <bool ONCE, class V>
__device__ inline wide<V> load_wide(const V *p)
{
    using word = typename std::conditional<
        sizeof(wide<V>) % 16 == 0, int4,
        typename std::conditional<sizeof(wide<V>) % 8 == 0, int2, int>::type>::type;
    union {
        word words[sizeof(wide<V>) / sizeof(word)];
        wide<V> all;
    } u;
#pragma unroll
    for (size_t i = 0; i < sizeof u.words / sizeof(word); i++) {
        const word *q = (const word *)p + i;
        u.words[i] = ONCE ? load_once(q) : *q;
    }
    return u.all;
}
template <bool ONCE>
__device__ inline wide<one> load_wide(const one *)
{
    return {};
}

} // namespace spmv

#endif
