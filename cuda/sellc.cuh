/* sellc.cuh -- the columns of a slice of SELLC, form by form, and what a thread loads together. */
#ifndef SPMV_SELLC_CUH
#define SPMV_SELLC_CUH

#include "warp.cuh"

namespace spmv
{

constexpr int SELLC_REGISTERS = 32; /* for the values of a batch of slots and their x */

/* What a thread loads together: so many steps, 8 or 4, of so many rows. */
template <class K>
constexpr int SELLC_BATCH = SELLC_REGISTERS * 4 /
                            (int)(sizeof(typename K::V) + sizeof(typename K::T));
template <class K>
constexpr int SELLC_STEPS = SELLC_BATCH<K> >= 8 ? 8 : 4;
template <class K>
constexpr int SELLC_ROWS = SELLC_BATCH<K> >= 32   ? 4
                           : SELLC_BATCH<K> >= 16 ? 2
                                                  : 1;

/* ---- Columns: some steps of R rows at a time ----------------------------------------------- */

/* Each has load(k), which loads the batch of STEPS steps from step k on, k a multiple of STEPS, and
 * then for step k + u and row r of the thread: has(u, r), is it an entry, and at(u, r), its x. */

/* One number for every step, and perhaps a byte of bits for 8 steps of every row. */
template <class K, class I, int R>
struct shared_columns {
    static constexpr int STEPS = SELLC_STEPS<K>;
    const int32_t *number;
    const uint8_t *mask; /* of the first row, or NULL */
    int32_t slice;
    I steps;
    const typename K::T *x[R] = {}; /* where number 0 would be */
    int32_t batch[STEPS] = {};
    unsigned bits[R] = {};

    __device__ void load(I k)
    {
        const unsigned inside = steps - k < STEPS ? (1u << (int)(steps - k)) - 1 : ~0u;
#pragma unroll
        for (int u = 0; u < STEPS; u += 4) {
            const int4 four = load_once((const int4 *)(number + k + u));
            batch[u] = four.x;
            batch[u + 1] = four.y;
            batch[u + 2] = four.z;
            batch[u + 3] = four.w;
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            const unsigned byte =
                mask != nullptr ? load_once(mask + k / 8 * slice + WARP * r) : ~0u;
            bits[r] = byte >> (int)(k % 8) & inside;
        }
    }
    __device__ bool has(int u, int r) const
    {
        return (bits[r] >> u & 1) != 0;
    }
    __device__ const typename K::T *at(int u, int r) const
    {
        return x[r] + batch[u];
    }
};

/* 16 bits for every slot. */
template <class K, class I, int R>
struct near_columns {
    static constexpr int STEPS = SELLC_STEPS<K>;
    const int32_t *pair; /* of the first row */
    int32_t slice;
    I steps;
    const typename K::T *x; /* where the base is */
    uint32_t batch[STEPS / 2][R] = {};

    __device__ void load(I k)
    {
#pragma unroll
        for (int u = 0; u < STEPS; u += 2)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u / 2][r] =
                    k + u < steps
                        ? (uint32_t)load_once(pair + (int64_t)((k + u) / 2) * slice + WARP * r)
                        : ~0u;
    }
    __device__ uint32_t code(int u, int r) const
    {
        return batch[u / 2][r] >> u % 2 * 16 & 0xffff;
    }
    __device__ bool has(int u, int r) const
    {
        return code(u, r) != 0xffff;
    }
    __device__ const typename K::T *at(int u, int r) const
    {
        return x + code(u, r);
    }
};

/* 16 bits for every block of B x B slots. */
template <class K, class I, int R, int B>
struct block_columns {
    static constexpr int STEPS = (SELLC_STEPS<K> + 1) / B * B;
    const uint16_t *first; /* of a step's first block */
    int32_t slice;
    I steps;
    const typename K::T *x; /* where the base is */
    int32_t groups;         /* blocks of rows */
    int32_t group[R] = {};  /* of a row */
    uint32_t batch[STEPS / B][R] = {};

    __device__ void load(I k)
    {
#pragma unroll
        for (int u = 0; u < STEPS; u += B)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u / B][r] =
                    k + u < steps ? load_once(first + (int64_t)((k + u) / B) * groups + group[r])
                                  : 0xffff;
    }
    __device__ bool has(int u, int r) const
    {
        return batch[u / B][r] != 0xffff;
    }
    __device__ const typename K::T *at(int u, int r) const
    {
        return x + batch[u / B][r] + u % B;
    }
};

/* A column for every slot. */
template <class K, class I, int R>
struct far_columns {
    static constexpr int STEPS = SELLC_STEPS<K>;
    const int32_t *col; /* of the first row */
    int32_t slice;
    I steps;
    const typename K::T *x;
    int32_t batch[STEPS][R] = {};

    __device__ void load(I k)
    {
#pragma unroll
        for (int u = 0; u < STEPS; u++)
#pragma unroll
            for (int r = 0; r < R; r++)
                batch[u][r] =
                    k + u < steps ? load_once(col + (int64_t)(k + u) * slice + WARP * r) : -1;
    }
    __device__ bool has(int u, int r) const
    {
        return batch[u][r] >= 0;
    }
    __device__ const typename K::T *at(int u, int r) const
    {
        return x + batch[u][r];
    }
};

} // namespace spmv

#endif
