/* csell_listed.cuh -- rows of CSELL that share lists of columns, several neighbouring ones in a
 * thread.
 *
 * Values of neighbouring rows are loaded together, and an element of x is loaded once for all rows
 * of a thread that share a list.  Where a warp has fewer rows than its threads would take so, the
 * threads stand in groups: each has all the rows, and takes its share of every few steps.  The
 * threads of a warp agree on how many lists the rows of one of them have at most: there is a loop
 * for one, for two, and for as many as rows.  Codes are loaded a few steps before x, so that one
 * wait does not follow the other. */
#pragma once

#include "cuda/device/wide_loads.cuh"
#include "cuda/kernels/csell/csell_columns.cuh"

namespace spmv
{

/* These are the lists of the R rows of a thread.  Codes have BITS bits; with RUNS each stands for
 * `run` adjacent columns, two at least, else for one; MASKED rows have some columns of their list.
 */
template <int BITS, bool RUNS, bool MASKED>
struct listed_rows {
    using code = typename std::conditional<BITS == 16, uint16_t, uint32_t>::type;
    static constexpr uint32_t NONE = 0xffffffffu >> (32 - BITS);
    const code *codes;   /* of the list of the first row */
    int64_t room;        /* codes of a list */
    uint32_t begins;     /* bit r: row r begins a list, whatever bit 0 says */
    const uint8_t *mask; /* of the first row and the first step, which is the first of a byte */
    int run;
};

/* Steps that are added together, and those of them that meet two runs at most. */
template <class K, int R, int LISTS>
constexpr int LISTED_STEPS = LISTS > 2 ? 2 : CSELL_STEPS<K, R>;
constexpr int WITHIN_RUNS = 4;

/* Where steps begin: at column `inside` of run `number`; without runs the number is that of the
 * step. */
struct run_place {
    int number, inside;
};
template <bool RUNS>
__device__ inline run_place place_of(int32_t step, int run)
{
    return RUNS ? run_place{step / run, step % run} : run_place{step, 0};
}

/* The codes of a list for a batch of N steps: those of the steps, or for each part of a batch those
 * of two runs; and where the parts begin. */
template <int BITS, bool RUNS, int N>
struct listed_batch {
    static constexpr int EACH = 32 / BITS, PART = N < WITHIN_RUNS ? N : WITHIN_RUNS,
                         PARTS = N / PART;
    static constexpr int WORDS = RUNS ? 2 * PARTS : N > EACH ? N / EACH : 1;
    using words = int32_t[WORDS];
    run_place part[PARTS];

    __device__ void begin(run_place at, int run)
    {
        part[0] = at;
#pragma unroll
        for (int i = 1; i < PARTS; i++) part[i] = after(part[i - 1], run);
    }
    /* Goes on by as many steps as come before that place. */
    __device__ void next(run_place by, int run)
    {
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            part[i].number += by.number;
            part[i].inside += by.inside;
            if (!RUNS || part[i].inside < run) continue;
            part[i].inside -= run;
            part[i].number++;
        }
    }
    __device__ static run_place after(run_place at, int run)
    {
        if (!RUNS) return {at.number + PART, 0};
        at.inside += PART;
#pragma unroll
        for (int i = 0; i < PART / 2; i++)
            if (at.inside >= run) {
                at.inside -= run;
                at.number++;
            }
        return at;
    }
    template <class CODE>
    __device__ void load(const CODE *list, int run, words &to) const
    {
        if constexpr (RUNS) {
#pragma unroll
            for (int i = 0; i < PARTS; i++) {
                to[2 * i] = (int32_t)list[part[i].number];
                if (part[i].inside + PART > run) to[2 * i + 1] = (int32_t)list[part[i].number + 1];
            }
        } else {
            load_numbers<WORDS>((const int32_t *)(list + part[0].number), to);
        }
    }
    /* The column of step u, before the base is added, or `none` for padding. */
    __device__ uint32_t column(const words &from, int u, int run, uint32_t none) const
    {
        if constexpr (!RUNS) return (uint32_t)from[u / EACH] >> BITS * (u % EACH) & none;
        const int place = part[u / PART].inside + u % PART;
        const uint32_t code = (uint32_t)(place < run ? from[u / PART * 2] : from[u / PART * 2 + 1]);
        return code == none ? none : code + (uint32_t)(place < run ? place : place - run);
    }
};

/* The steps of a thread: those of its portion that its group takes. */
struct group_steps {
    int32_t begin, count; /* of the portion */
    int group;
};

/* Adds the steps of one of GROUPS.  LISTS are those of the rows: rows from `split` on have the
 * second one, or each row has its own.  Numbers of type I count slots. */
template <int LISTS, int GROUPS, class K, class I, int BITS, bool RUNS, bool MASKED, int R>
__device__ inline void add_listed(const listed_rows<BITS, RUNS, MASKED> &rows, group_steps own,
                                  const typename K::T *x, const typename K::V *__restrict__ val,
                                  int32_t slice, typename K::S (&sum)[R])
{
    constexpr int N = LISTED_STEPS<K, R, LISTS>;
    const int32_t first = own.group * N, steps = own.count;
    if (first >= steps) return;
    const run_place by = place_of<RUNS>(N * GROUPS, rows.run);
    using lists_of = listed_rows<BITS, RUNS, MASKED>;
    const uint32_t later = rows.begins >> 1 & ((1u << (R - 1)) - 1);
    const int split = later != 0 ? __ffs((int)later) : R;
    const typename lists_of::code *list[LISTS];
    listed_batch<BITS, RUNS, N> batch;
    typename listed_batch<BITS, RUNS, N>::words codes[LISTS];
    batch.begin(place_of<RUNS>(own.begin + first, rows.run), rows.run);
#pragma unroll
    for (int l = 0; l < LISTS; l++) {
        const int number = LISTS == R ? __popc(later & ((1u << l) - 1)) : l * (later != 0);
        list[l] = rows.codes + rows.room * number;
        batch.load(list[l], rows.run, codes[l]);
    }
    for (int32_t k = first; k < steps; k += N * GROUPS) {
        wide<typename K::V, R> v[N];
        typename K::T element[N][LISTS];
        unsigned bits[R];
#pragma unroll
        for (int u = 0; u < N; u++)
            if (k + u < steps) v[u] = load_wide<true, R>(val + (I)(k + u) * slice);
#pragma unroll
        for (int r = 0; r < R; r++)
            bits[r] = MASKED ? (unsigned)rows.mask[(I)(k / 8) * slice + r] >> k % 8 : ~0u;
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int l = 0; l < LISTS; l++) {
                const uint32_t c = batch.column(codes[l], u, rows.run, lists_of::NONE);
                element[u][l] = typename K::T();
                if (k + u < steps && c != lists_of::NONE) element[u][l] = fetch<K>(x + c);
            }
        batch.next(by, rows.run);
#pragma unroll
        for (int l = 0; l < LISTS; l++)
            if (k + N * GROUPS < steps) batch.load(list[l], rows.run, codes[l]);
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int r = 0; r < R; r++) {
                const typename K::S xs = LISTS == R  ? widen(element[u][r])
                                         : r < split ? widen(element[u][0])
                                                     : widen(element[u][LISTS - 1]);
                if (k + u < steps && (bits[r] >> u & 1) != 0) sum[r] += widen(v[u].at[r]) * xs;
            }
    }
}

/* Chooses the loop: all threads of the warp must call. */
template <int GROUPS, class K, class I, int BITS, bool RUNS, bool MASKED, int R>
__device__ inline void add_all_listed(const listed_rows<BITS, RUNS, MASKED> &rows, group_steps own,
                                      const typename K::T *x, const typename K::V *__restrict__ val,
                                      int32_t slice, typename K::S (&sum)[R])
{
    constexpr int TWO = R < 2 ? R : 2;
    const int more = __popc(rows.begins >> 1 & ((1u << (R - 1)) - 1));
    if (R > 2 && __any_sync(ALL_LANES, more > 1))
        add_listed<R, GROUPS, K, I>(rows, own, x, val, slice, sum);
    else if (R > 1 && __any_sync(ALL_LANES, more > 0))
        add_listed<TWO, GROUPS, K, I>(rows, own, x, val, slice, sum);
    else
        add_listed<1, GROUPS, K, I>(rows, own, x, val, slice, sum);
}

/* Returns the value of the lane whose number differs in the bit `apart`. */
__device__ inline double exchange(double v, int apart)
{
    return __shfl_xor_sync(ALL_LANES, v, apart);
}
__device__ inline c128 exchange(c128 v, int apart)
{
    return {exchange(v.re, apart), exchange(v.im, apart)};
}

/* Adds the sums of W rows over all groups; each has R of them then: in two halves of the groups the
 * threads give away one half of the rows, and go on with the other. */
template <int R, class S, int W>
__device__ inline void add_groups(const S (&part)[W], S (&sum)[R])
{
    S left[W];
#pragma unroll
    for (int r = 0; r < W; r++) left[r] = part[r];
#pragma unroll
    for (int rows = W / 2, apart = WARP / 2; rows >= R; rows /= 2, apart /= 2) {
        const bool upper = (lane_id() & apart) != 0;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            const S given = exchange(upper ? left[r] : left[r + rows], apart);
            left[r] = (upper ? left[r + rows] : left[r]) + given;
        }
    }
#pragma unroll
    for (int r = 0; r < R; r++) sum[r] = left[r];
}

} // namespace spmv
