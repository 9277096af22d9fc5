/* write_slices.cu -- words and values of CSELL, whose forms and places are known.
 *
 * What a slice says once, for steps or lists of columns, a warp writes.  Then each lane of 32 rows
 * goes along its row and writes values, and the codes of its slots: several warps share the steps
 * of a slice where there are few slices. */
#include "cuda/kernels/csell_build/slice_rows.cuh"

using namespace spmv;

namespace
{

PLAN_LIMIT(FULL, 1 << 14); /* warps that fill a GPU */
constexpr int LEAST = 64;  /* steps of a warp, at least, where several share a slice */
constexpr int BATCH = 8;   /* slots of a lane that are loaded at once; whole words, whole bytes */

/* ---- What a slice says once ------------------------------------------------------------------ */

/* The numbers of all steps; without gaps those of any row. */
template <class I>
__device__ inline void write_numbers(const csell_source<I> &from, const csell_known &of, int64_t s,
                                     number_union u, int64_t steps, int32_t *code)
{
    unite_all(&u, from, of, s, is_relative(of.encoding[s]), steps);
    for (int k = lane_id(); k < u.n; k += WARP) code[k] = u.number[k];
}

/* The lists of a slice, as they begin one after the other. */
struct listed_lanes {
    int32_t *code;
    int n;         /* lists */
    int group;     /* of 32 lanes, */
    unsigned bits; /* a bit for each of them at which a list begins */
};

/* Writes how many lists there are so far, and the lanes of a group at which they begin. */
__device__ inline void write_group(const listed_lanes &l)
{
    if (lane_id() > 0) return;
    l.code[SPMV__CSELL_TAIL + l.group] = (int32_t)l.bits;
    l.code[1] = l.n;
}

__device__ inline void begin_list(listed_lanes *l, int lane)
{
    if (lane / WARP != l->group) {
        write_group(*l);
        l->group = lane / WARP;
        l->bits = 0;
    }
    l->bits |= 1u << lane % WARP;
    l->n++;
}

/* Codes of type C for lists of columns, each run of which is one. */
template <class C, class I>
__device__ inline void write_lists(const csell_source<I> &from, const csell_known &of, int64_t s,
                                   int64_t steps, int32_t base, int32_t *code)
{
    const int32_t run = find_run(from, of, s);
    const int64_t room = spmv__whole_bytes(steps / run);
    C *list = (C *)(code + spmv__list_head(from.slice));
    listed_lanes lists = {code, 0, 0, 0};
    if (lane_id() == 0) code[0] = base;
    if (lane_id() == 0) code[2] = run;
    for_rows_apart(from, of, s, SAME_COLUMNS, [&](int lane, const slice_row &r) {
        begin_list(&lists, lane);
        for (int64_t i = lane_id(); i < room; i += WARP)
            list[i] = i * run < r.length ? (C)(from.col_idx[r.begin + i * run] - base) : (C)-1;
        list += room;
        return true;
    });
    write_group(lists);
}

/* Codes of lists of which each row has a part. */
template <class I>
__device__ inline void write_unions(const csell_source<I> &from, const csell_known &of, int64_t s,
                                    number_union u, int64_t steps, int32_t *code)
{
    const int64_t room = spmv__whole_bytes(steps);
    int32_t *list = code + spmv__list_head(from.slice);
    listed_lanes lists = {code, 0, 0, 0};
    if (lane_id() == 0) code[2] = 1;
    unite_alike(
        &u, from, s, steps,
        [&](int first) { return lanes_apart(from, of, s, first, SAME_COLUMNS); },
        [](int) { return false; }, [&](int lane) { begin_list(&lists, lane); },
        [&]() {
            for (int64_t i = lane_id(); i < room; i += WARP) list[i] = i < u.n ? u.number[i] : -1;
            list += room;
            return true;
        });
    write_group(lists);
}

template <class I>
__global__ void __launch_bounds__(CSELL_BLOCK)
    write_heads(csell_source<I> from, csell_known of, int32_t *all_code)
{
    __shared__ shared_scratch shared;
    const int64_t s = global_thread() / WARP;
    if (s >= from.slices) return;
    const csell_bounds b = of.bounds[s];
    const int encoding = of.encoding[s];
    const int64_t steps = (of.slots[s + 1] - of.slots[s]) / from.slice;
    int32_t *code = all_code + of.words[s];
    if (encoding == SPMV_CSELL_FAR || steps == 0) return;
    if (has_codes(encoding)) {
        const int64_t base = encoding == SPMV_CSELL_BYTE ? b.left : b.low;
        if (lane_id() == 0) all_code[of.words[s + 1] - SPMV__CSELL_TAIL] = (int32_t)base;
    } else if (encoding == SPMV_CSELL_LISTS) {
        write_lists<uint16_t>(from, of, s, steps, b.low, code);
    } else if (encoding == SPMV_CSELL_LISTS_FAR) {
        write_lists<int32_t>(from, of, s, steps, 0, code);
    } else if (encoding == SPMV_CSELL_LISTS_MASKED) {
        write_unions(from, of, s, scratch_of(of, s, &shared), steps, code);
    } else {
        write_numbers(from, of, s, scratch_of(of, s, &shared), steps, code);
    }
}

/* ---- What each slot has of its own ----------------------------------------------------------- */

/* A lane of a slice, and the values of its row. */
template <class V>
struct lane_work {
    int lane, slice;
    int64_t steps;
    int64_t begin, length; /* of the row; none behind the last row */
    int32_t row;
    const int32_t *col_idx;
    const V *val; /* of the matrix */
    V *to;        /* step 0 of the lane; both NULL for a pattern */
    int32_t *code;
};

/* Writes the value of step k, and of the steps behind it, from entry p(i) on; -1 is padding. */
template <class V, class F>
__device__ inline void write_values(const lane_work<V> &t, int64_t k, F entry)
{
    if (t.to == nullptr) return;
    V v[BATCH];
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        const int64_t p = entry(i);
        v[i] = p >= 0 ? t.val[p] : V{};
    }
#pragma unroll
    for (int i = 0; i < BATCH; i++)
        if (k + i < t.steps) t.to[(k + i) * t.slice] = v[i];
}

/* Entry number k of a row is that of step k. */
template <class V>
__device__ inline void write_in_order(const lane_work<V> &t, int64_t k)
{
    write_values(t, k, [&](int i) { return k + i < t.length ? t.begin + k + i : -1; });
}

/* Codes of BITS bits for columns less `base`, from step k on. */
template <int BITS, class V>
__device__ inline void write_codes(const lane_work<V> &t, int64_t k, int64_t base)
{
    constexpr int EACH = 32 / BITS;
    constexpr unsigned PADDING = 0xffffffffu >> (32 - BITS);
    unsigned code[BATCH];
#pragma unroll
    for (int i = 0; i < BATCH; i++)
        code[i] = k + i < t.length ? (unsigned)(t.col_idx[t.begin + k + i] - base) : PADDING;
#pragma unroll
    for (int i = 0; i < BATCH; i += EACH) {
        unsigned word = 0;
        for (int j = 0; j < EACH; j++) word |= code[i + j] << BITS * j % 32;
        if (k + i < t.steps) t.code[(k + i) / EACH * t.slice + t.lane] = (int32_t)word;
    }
}

/* The steps from k on whose columns, less `origin`, a row has; p is its first entry that may be one
 * of them.  Returns the entry behind. */
template <class V>
__device__ inline int64_t write_masked(const lane_work<V> &t, int64_t k, int64_t p,
                                       const int32_t *number, int64_t origin, uint8_t *mask)
{
    const int64_t end = t.begin + t.length;
    int64_t entry[BATCH];
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        const bool has =
            k + i < t.steps && p < end && t.col_idx[p] - origin == (int64_t)number[k + i];
        entry[i] = has ? p++ : -1;
        bits |= (unsigned)has << i;
    }
    mask[k / BATCH * t.slice + t.lane] = (uint8_t)bits;
    write_values(t, k, [&](int i) { return entry[i]; });
    return p;
}

/* Calls each(k) for the batches of steps that a warp takes. */
template <class F>
__device__ inline void for_batches(int64_t begin, int64_t end, F each)
{
    for (int64_t k = begin; k < end; k += BATCH) each(k);
}

template <class V>
__device__ inline void write_all_masked(const lane_work<V> &t, int encoding, int64_t begin,
                                        int64_t end)
{
    const int32_t *number = t.code;
    int64_t words = spmv__whole_bytes(t.steps);
    if (is_listed(encoding)) {
        const int64_t room = words;
        int list = -1;
        for (int i = 0; i <= t.lane / WARP; i++) {
            const unsigned up_to =
                i < t.lane / WARP ? ALL_LANES : ALL_LANES >> (31 - t.lane % WARP);
            list += __popc((unsigned)t.code[SPMV__CSELL_TAIL + i] & up_to);
        }
        number = t.code + spmv__list_head(t.slice) + list * room;
        words = spmv__list_head(t.slice) + t.code[1] * room;
    }
    const int64_t origin = is_relative(encoding) ? t.row : 0;
    const int64_t first = begin < end ? number[begin] + origin : 0;
    int64_t p = t.begin + partition_point(
                              t.length, [&](int64_t i) { return t.col_idx[t.begin + i] < first; });
    for_batches(begin, end, [&](int64_t k) {
        p = write_masked(t, k, p, number, origin, (uint8_t *)(t.code + words));
    });
}

template <class V>
__device__ inline void write_lane(const lane_work<V> &t, int encoding, const csell_bounds &b,
                                  int64_t begin, int64_t end)
{
    if (has_gaps(encoding)) return write_all_masked(t, encoding, begin, end);
    if (encoding == SPMV_CSELL_FAR)
        for_batches(begin, end, [&](int64_t k) { write_codes<32>(t, k, 0); });
    if (encoding == SPMV_CSELL_NEAR)
        for_batches(begin, end, [&](int64_t k) { write_codes<16>(t, k, b.low); });
    if (encoding == SPMV_CSELL_BYTE)
        for_batches(begin, end, [&](int64_t k) { write_codes<8>(t, k, b.left + t.row); });
    for_batches(begin, end, [&](int64_t k) { write_in_order(t, k); });
}

/* A warp takes one of `portions` of the steps of 32 lanes. */
template <class V, class I>
__global__ void __launch_bounds__(CSELL_BLOCK)
    write_slots(csell_source<I> from, csell_known of, int portions, int32_t *code, V *to,
                const V *__restrict__ val)
{
    const int groups = from.slice / WARP;
    const int64_t warp = global_thread() / WARP, group = warp / portions, s = group / groups;
    if (s >= from.slices) return;
    const int64_t slot = of.slots[s], steps = (of.slots[s + 1] - slot) / from.slice;
    const int64_t batches = (steps + BATCH - 1) / BATCH, portion = warp % portions;
    const int lane = (int)(group % groups) * WARP + lane_id();
    const int64_t i = s * from.slice + lane;
    lane_work<V> t = {lane, from.slice, steps, 0, 0, 0, from.col_idx, val, nullptr, nullptr};
    if (i < from.rows) {
        t.row = from.perm != nullptr ? from.perm[i] : (int32_t)i;
        t.begin = from.row_ptr[t.row];
        t.length = from.row_end[t.row] - t.begin;
    }
    if (to != nullptr) t.to = to + slot + lane;
    t.code = code + of.words[s];
    write_lane(t, of.encoding[s], of.bounds[s], batches * portion / portions * BATCH,
               min(batches * (portion + 1) / portions * BATCH, steps));
}

} // namespace

template <class I>
spmv_status spmv::csell_write(const csell_source<I> *from, const csell_known *of,
                              const csell_fill *to, spmv__gpu *gpu, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t warps = from->slices * (from->slice / WARP);
    if (warps == 0) return SPMV_SUCCESS;
    const int64_t most = to->slots / (warps * WARP) / LEAST + 1;
    const int portions = (int)max(min(most, FULL / warps), (int64_t)1);
    launch_kernel(write_heads<I>, blocks_for(from->slices * WARP, CSELL_BLOCK), CSELL_BLOCK, 0,
                  stream, *from, *of, to->code);
    by_size(from->value_size, [&](auto v) {
        using V = decltype(v);
        launch_kernel(write_slots<V, I>, blocks_for(warps * portions * WARP, CSELL_BLOCK),
                      CSELL_BLOCK, 0, stream, *from, *of, portions, to->code, (V *)to->val,
                      (const V *)to->from);
    });
    return check_launch(CSELL_BUILD, err);
}

#define X(I)                                                                             \
    template spmv_status spmv::csell_write(const csell_source<I> *, const csell_known *, \
                                           const csell_fill *, spmv__gpu *, spmv_error *);
X(int32_t)
X(int64_t)
#undef X
