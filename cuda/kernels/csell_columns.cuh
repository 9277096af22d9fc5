/* csell_columns.cuh -- the columns of a slice of CSELL, form by form, and what a thread loads
 * together. */
#pragma once

#include "cuda/device/slice_sum.cuh"

namespace spmv
{

/* These are the bytes of a value in a register, the most rows of a thread, and the steps of R rows
 * that it loads together. */
template <class K>
constexpr int CSELL_VALUE = sizeof(typename K::V) > 4 ? (int)sizeof(typename K::V) : 4;
template <class K>
constexpr int CSELL_ROWS = sizeof(typename K::T) > 8 ? 1 : 4;
template <class K, int R>
constexpr int CSELL_STEPS = R > 1                       ? 64 / R / CSELL_VALUE<K>
                            : sizeof(typename K::T) > 8 ? 4
                                                        : 8;

/* ---- Columns of R rows, see slice_sum.cuh --------------------------------------------------- */

/* Loads the next N numbers of a slice. */
template <int N>
__device__ inline void load_numbers(const int32_t *p, int32_t *to)
{
    if constexpr (N >= 4) {
#pragma unroll
        for (int u = 0; u < N; u += 4) {
            const int4 four = *(const int4 *)(p + u);
            to[u] = four.x;
            to[u + 1] = four.y;
            to[u + 2] = four.z;
            to[u + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int u = 0; u < N; u++) to[u] = p[u];
    }
}

/* Every step has one number for all rows; the x of a row are APART from those of the one before. */
template <class K, int R, int APART>
struct shared_columns {
    static constexpr int SMALLEST = 1, STEPS = CSELL_STEPS<K, R>;
    const int32_t *number;
    const typename K::T *origin; /* where number 0 would be in row 0 */
    int32_t batch[STEPS];

    template <int N>
    __device__ void load()
    {
        load_numbers<N>(number, batch);
    }
    __device__ typename K::T x(int u, int r) const
    {
        return fetch<K>(origin + batch[u] + APART * r);
    }
    template <int N>
    __device__ void next()
    {
        number += N;
    }
};

/* Every step has one number, rows are anywhere, and 8 steps of a row may have a byte of bits. */
template <class K, int R>
struct masked_columns {
    static constexpr int SMALLEST = 1, STEPS = CSELL_STEPS<K, R>;
    const int32_t *number;
    const uint8_t *mask; /* of the first row, or NULL */
    int32_t slice;
    int k;                          /* the next step of the byte */
    const typename K::T *origin[R]; /* where number 0 would be */
    int32_t batch[STEPS];
    unsigned bits[R];

    template <int N>
    __device__ void load()
    {
        load_numbers<N>(number, batch);
#pragma unroll
        for (int r = 0; r < R; r++) bits[r] = mask != nullptr ? (unsigned)mask[WARP * r] >> k : ~0u;
    }
    __device__ typename K::T x(int u, int r) const
    {
        return (bits[r] >> u & 1) != 0 ? fetch<K>(origin[r] + batch[u]) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        number += N;
        k += N;
        if (k < 8) return;
        k = 0;
        if (mask != nullptr) mask += slice;
    }
};

/* Every slot has 16 bits. */
template <class K, int R>
struct near_columns {
    static constexpr int SMALLEST = 1, STEPS = CSELL_STEPS<K, R>;
    const int32_t *pair; /* of the first row */
    int32_t slice;
    const typename K::T *base;
    uint32_t batch[(STEPS + 1) / 2][R];

    template <int N>
    __device__ void load()
    {
#pragma unroll
        for (int u = 0; u < N; u += 2)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u / 2][r] =
                    (uint32_t)load_streaming(pair + (int64_t)(u / 2) * slice + WARP * r);
    }
    __device__ typename K::T x(int u, int r) const
    {
        const uint32_t code = batch[u / 2][r] >> u % 2 * 16 & 0xffff;
        return code != 0xffff ? fetch<K>(base + code) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        pair += (int64_t)(N / 2) * slice;
    }
};

/* Every block of B x B slots has 16 bits. */
template <class K, int R, int B>
struct block_columns {
    static constexpr int SMALLEST = B;
    static constexpr int STEPS = B == 2 ? CSELL_STEPS<K, R> : CSELL_STEPS<K, R> < 8 ? 3 : 6;
    const uint16_t *first; /* of a step's first block */
    const typename K::T *base;
    int32_t groups;   /* blocks of rows */
    int32_t group[R]; /* of a row */
    uint32_t batch[STEPS / B][R];

    template <int N>
    __device__ void load()
    {
#pragma unroll
        for (int u = 0; u < N; u += B)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u / B][r] = load_streaming(first + (u / B) * groups + group[r]);
    }
    __device__ typename K::T x(int u, int r) const
    {
        const uint32_t code = batch[u / B][r];
        return code != 0xffff ? fetch<K>(base + code + u % B) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        first += (N / B) * groups;
    }
};

/* Every slot has its column. */
template <class K, int R>
struct far_columns {
    static constexpr int SMALLEST = 1, STEPS = CSELL_STEPS<K, R>;
    const int32_t *col; /* of the first row */
    int32_t slice;
    const typename K::T *all; /* of x */
    int32_t batch[STEPS][R];

    template <int N>
    __device__ void load()
    {
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u][r] = load_streaming(col + (int64_t)u * slice + WARP * r);
    }
    __device__ typename K::T x(int u, int r) const
    {
        return batch[u][r] >= 0 ? fetch<K>(all + batch[u][r]) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        col += (int64_t)N * slice;
    }
};

} // namespace spmv
