/* wide_loads.cuh -- several neighbouring entries in one load. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

constexpr int WIDTH = SPMV__WIDTH; /* entries per load, unless said otherwise */

/* W values, aligned so that they are loaded together: 16 bytes at a time where they have them. */
template <class V, int W = WIDTH>
struct alignas(W * sizeof(V) < 16 ? W * sizeof(V) : 16) wide {
    V at[W];
};

/* Loads W values; with ONCE they pass by once, see load_streaming. */
template <bool ONCE, int W = WIDTH, class V>
__device__ inline wide<V, W> load_wide(const V *p)
{
    using all = wide<V, W>;
    using word = typename std::conditional<
        sizeof(all) % 16 == 0, int4,
        typename std::conditional<sizeof(all) % 8 == 0, int2, int>::type>::type;
    union {
        word words[sizeof(all) / sizeof(word)];
        all values;
    } u;
#pragma unroll
    for (size_t i = 0; i < sizeof u.words / sizeof(word); i++) {
        const word *q = (const word *)p + i;
        u.words[i] = ONCE ? load_streaming(q) : *q;
    }
    return u.values;
}
template <bool ONCE, int W = WIDTH>
__device__ inline wide<unit_value, W> load_wide(const unit_value *)
{
    return {};
}

} // namespace spmv
