/* csell_columns.cuh -- the columns of a slice of CSELL, form by form, and what a thread loads
 * together. */
#pragma once

#include "core/csell/csell_sizes.h"
#include "cuda/device/slice_sum.cuh"

namespace spmv
{

/* These are the bytes of a value in a register, the most rows of a thread, the neighbouring rows
 * with lists whose values one of R rows loads together, and the steps of R rows that it does. */
template <class K>
constexpr int CSELL_VALUE = sizeof(typename K::V) > 4 ? (int)sizeof(typename K::V) : 4;
template <class K>
constexpr int CSELL_ROWS = sizeof(typename K::T) > 8 ? 1 : 4;
template <class K, int R>
constexpr int CSELL_NEIGHBOURS = CSELL_VALUE<K> == 4 ? CSELL_ROWS<K> : R;
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
    static constexpr int STEPS = CSELL_STEPS<K, R>;
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
    static constexpr int STEPS = CSELL_STEPS<K, R>;
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

/* Every slot has BITS bits. */
template <class K, int R, int BITS>
struct near_columns {
    static constexpr int STEPS = CSELL_STEPS<K, R>, EACH = 32 / BITS, ORIGINS = BITS < 16 ? R : 1;
    static constexpr uint32_t NONE = (1u << BITS) - 1;
    const int32_t *word; /* of the first row */
    int32_t slice;
    int k;                                /* the next step of the word */
    const typename K::T *origin[ORIGINS]; /* where code 0 would be, in each row or in all of them */
    uint32_t batch[(STEPS + EACH - 1) / EACH][R];

    template <int N>
    __device__ void load()
    {
#pragma unroll
        for (int u = 0; u < N; u += EACH)
#pragma unroll
            for (int r = 0; r < R; r++) {
                const int32_t *p = word + (int64_t)(u / EACH) * slice + WARP * r;
                batch[u / EACH][r] = (uint32_t)load_streaming(p) >> (N < EACH ? BITS * k : 0);
            }
    }
    __device__ typename K::T x(int u, int r) const
    {
        const uint32_t code = batch[u / EACH][r] >> u % EACH * BITS & NONE;
        return code != NONE ? fetch<K>(origin[ORIGINS > 1 ? r : 0] + code) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        if constexpr (N >= EACH) {
            word += (int64_t)(N / EACH) * slice;
        } else {
            k += N;
            if (k < EACH) return;
            k = 0;
            word += slice;
        }
    }
};

/* Where the words of a slice of rows with lists lie. */
struct list_words {
    const uint32_t *begins; /* bit r % 32 of word r / 32: row r begins a list */
    const int32_t *lists;   /* of `room` codes each */
    const uint8_t *mask;    /* of the first row and step, where there are masks */
    int32_t room;

    /* A code is for `run` columns. */
    __device__ list_words(const int32_t *code, int32_t slice, int32_t steps, int run)
        : begins((const uint32_t *)code + SPMV__CSELL_TAIL), lists(code + spmv__list_head(slice)),
          room((int32_t)spmv__whole_bytes(steps / run))
    {
        mask = (const uint8_t *)(lists + code[1] * room);
    }
    /* Returns the number of the list of a row. */
    __device__ int32_t list_of(int32_t row) const
    {
        int32_t list = __popc(begins[row / 32] & ((2u << row % 32) - 1)) - 1;
        for (int32_t i = 0; i < row / 32; i++) list += __popc(begins[i]);
        return list;
    }
};

/* Rows share lists, which are looked up slot by slot. */
template <class K, int R>
struct looked_up_columns {
    static constexpr int STEPS = CSELL_STEPS<K, R> / 2;
    static constexpr uint32_t NONE = 0xffffffff;
    const int32_t *lists;
    const uint8_t *mask; /* of the first row, or NULL */
    const typename K::T *origin;
    int32_t slice, k, run; /* the next step; columns of a code */
    int32_t list[R];       /* where the codes of each row begin */
    bool narrow;           /* they have 16 bits */
    uint32_t batch[STEPS][R];

    /* Rows from `lane` on, WARP apart, in a slice that has so many steps, from `first` on. */
    __device__ void begin(const int32_t *code, int32_t lanes, int32_t steps, int32_t lane,
                          int32_t first, const typename K::T *x, int32_t encoding)
    {
        slice = lanes;
        k = first;
        run = encoding == SPMV_CSELL_LISTS_MASKED ? 1 : max(code[2], 1);
        narrow = encoding == SPMV_CSELL_LISTS;
        origin = x + code[0];
        const list_words words(code, slice, steps, run);
        lists = words.lists;
        mask = encoding == SPMV_CSELL_LISTS_MASKED ? words.mask + lane : nullptr;
#pragma unroll
        for (int r = 0; r < R; r++) list[r] = words.list_of(lane + WARP * r) * words.room;
    }
    template <int N>
    __device__ void load()
    {
        const uint32_t none = narrow ? 0xffff : NONE;
#pragma unroll
        for (int u = 0; u < N; u++) {
            const int32_t step = k + u, number = step / run, inside = step % run;
#pragma unroll
            for (int r = 0; r < R; r++) {
                const int32_t at = list[r] + number;
                const uint32_t code = narrow ? ((const uint16_t *)lists)[at] : (uint32_t)lists[at];
                const bool filled = code != none && (mask == nullptr || is_set(step, r));
                batch[u][r] = filled ? code + (uint32_t)inside : NONE;
            }
        }
    }
    __device__ bool is_set(int32_t step, int r) const
    {
        return (mask[(int64_t)(step / 8) * slice + WARP * r] >> step % 8 & 1) != 0;
    }
    __device__ typename K::T x(int u, int r) const
    {
        return batch[u][r] != NONE ? fetch<K>(origin + batch[u][r]) : typename K::T();
    }
    template <int N>
    __device__ void next()
    {
        k += N;
    }
};

/* Every slot has its column. */
template <class K, int R>
struct far_columns {
    static constexpr int STEPS = CSELL_STEPS<K, R>;
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
