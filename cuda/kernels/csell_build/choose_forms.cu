/* choose_forms.cu -- for every slice the form that takes the fewest bytes.
 *
 * A warp asks about one form after the other, those that are soon told first, and takes what
 * core/csell/csell_choice.c takes: the cheapest; of equal ones that without gaps, and the first. */
#include "cuda/kernels/csell_build/union_bounds.cuh"
#include "core/csell/csell_sizes.h"

using namespace spmv;

namespace
{

constexpr int64_t MOST_STEPS = SPMV__CSELL_STEPS;

/* A form, and what it takes. */
struct chosen_form {
    int32_t encoding, steps;
    int64_t words, cost;
};

/* A slice that looks for a form; `most` is what the next one may cost. */
template <class I>
struct seeking_slice {
    const csell_source<I> &from;
    const csell_known &of;
    int64_t s;
    csell_bounds b;
    number_union u;
    shared_bounds *shared;
    chosen_form best;
    int64_t most;
};

/* Returns the cost of so many steps and codes of lists. */
template <class I>
__device__ inline int64_t cost_of(const csell_source<I> &from, int encoding, int64_t steps,
                                  int64_t codes)
{
    return steps * slot_cost(from.value_size) * from.slice +
           4 * count_words(encoding, from.slice, steps, codes);
}

/* Returns whether every row has all steps, which are those of the first row. */
template <class I>
__device__ inline bool all_share(const seeking_slice<I> &q, bool relative)
{
    const int same = relative ? SAME_DISTANCES : SAME_COLUMNS;
    if (q.b.nnz != (int64_t)q.b.width * q.from.slice) return false;
    unsigned apart = 0;
    for (int first = 0; first < q.from.slice; first += WARP)
        apart |= lanes_apart(q.from, q.of, q.s, first, same) & (first > 0 ? ALL_LANES : ~1u);
    return apart == 0;
}

/* Returns whether lists can hold the rows, and how many codes they take. */
template <class I>
__device__ inline bool count_codes(const seeking_slice<I> &q, int encoding, int64_t *codes)
{
    const bool fits = (int64_t)q.b.high - q.b.low < UINT16_MAX;
    if (fits != (encoding == SPMV_CSELL_LISTS) || q.b.nnz == 0) return false;
    *codes =
        count_lists(q.from, q.of, q.s) * spmv__whole_bytes(q.b.width / find_run(q.from, q.of, q.s));
    return true;
}

/* The same for lists of which each row has a part, the longest of *steps columns: until they cost
 * too much.  Rows that are known to be alone are counted, and not visited. */
template <class I>
__device__ inline bool count_united(const seeking_slice<I> &q, int64_t most, int32_t *steps,
                                    int64_t *codes)
{
    /* Few rows are soon visited. */
    const bool many = count_lists(q.from, q.of, q.s) > q.from.slice / 4;
    const unsigned *const begins = many ? find_lists(q.from, q.of, q.s, q.shared) : nullptr;
    const auto alone = [&](int first) {
        return many ? lanes_alone(begins, q.from.slice, first) : 0;
    };
    number_union u = q.u;
    int64_t lists = 0;
    int longest = q.b.width; /* in the list of the longest row */
    for (int first = 0; first < q.from.slice; first += WARP) lists += __popc(alone(first));
    const bool fits = unite_alike(
        &u, q.from, q.s, most,
        [&](int first) {
            return lanes_apart(q.from, q.of, q.s, first, SAME_COLUMNS) & ~alone(first);
        },
        [&](int lane) { return many && (begins[lane / WARP] >> lane % WARP & 1) != 0; },
        [&](int) { lists++; },
        [&]() {
            longest = max(longest, u.n);
            *codes = lists * spmv__whole_bytes(longest);
            return cost_of(q.from, SPMV_CSELL_LISTS_MASKED, longest, *codes) <= q.most;
        });
    *steps = longest;
    return fits && longest > 0;
}

/* The same for the union of all rows. */
template <class I>
__device__ inline bool count_union(const seeking_slice<I> &q, bool relative, int64_t most,
                                   int32_t *steps)
{
    /* Rows of one length are soon too many. */
    const bool differ = q.b.nnz < (int64_t)q.b.width * q.from.slice / 2;
    if (differ && least_union(q.from, q.s, q.b.width, relative, q.shared) > most) return false;
    number_union u = q.u;
    const bool fits = unite_all(&u, q.from, q.of, q.s, relative, most);
    *steps = u.n;
    return fits;
}

/* Returns whether a form can hold the rows in `most` steps, in how many, and with how many codes of
 * lists. */
template <class I>
__device__ inline bool count_steps(const seeking_slice<I> &q, int encoding, int64_t most,
                                   int32_t *steps, int64_t *codes)
{
    *steps = q.b.width;
    if (q.b.width > most) return false;
    if (encoding == SPMV_CSELL_LISTS_MASKED) return count_united(q, most, steps, codes);
    if (is_listed(encoding)) return count_codes(q, encoding, codes);
    if (encoding == SPMV_CSELL_NEAR) return (int64_t)q.b.high - q.b.low < UINT16_MAX;
    if (encoding == SPMV_CSELL_BYTE) return q.b.right - q.b.left < UINT8_MAX;
    if (encoding == SPMV_CSELL_FAR) return true;
    if (!has_gaps(encoding)) return all_share(q, is_relative(encoding));
    return count_union(q, is_relative(encoding), most, steps);
}

/* Takes a form where it costs less than the best so far, or as much and comes before it. */
template <class I>
__device__ inline void try_form(seeking_slice<I> *q, int encoding)
{
    const auto rank = [](int e) { return has_gaps(e) ? SPMV_CSELL_ENCODINGS + e : e; };
    const int64_t slot = slot_cost(q->from.value_size) * q->from.slice;
    /* With as many steps as rows have that are all of one length, one without gaps costs less. */
    const bool is_full = q->b.nnz == (int64_t)q->b.width * q->from.slice;
    const int64_t least = q->b.width + (is_full && has_gaps(encoding) ? 1 : 0);
    const int64_t one_list = encoding == SPMV_CSELL_LISTS_MASKED ? spmv__whole_bytes(least) : 0;
    int64_t codes = 0;
    chosen_form c = {encoding, 0, 0, 0};
    q->most = q->best.cost - (rank(encoding) > rank(q->best.encoding) ? 1 : 0);
    if (cost_of(q->from, encoding, least, one_list) > q->most) return;
    const int64_t steps = encoding == SPMV_CSELL_FAR ? INT32_MAX : MOST_STEPS;
    const int64_t most = min(q->most / slot, steps);
    if (!count_steps(*q, encoding, most, &c.steps, &codes)) return;
    c.words = count_words(encoding, q->from.slice, c.steps, codes);
    c.cost = cost_of(q->from, encoding, c.steps, codes);
    if (c.cost <= q->most) q->best = c;
}

template <class I>
__global__ void __launch_bounds__(CSELL_BLOCK) choose_slices(csell_source<I> from, csell_known of)
{
    const int order[] = {SPMV_CSELL_FAR,           SPMV_CSELL_NEAR,
                         SPMV_CSELL_BYTE,          SPMV_CSELL_DIAGONAL,
                         SPMV_CSELL_COLUMN,        SPMV_CSELL_LISTS,
                         SPMV_CSELL_LISTS_FAR,     SPMV_CSELL_DIAGONAL_MASKED,
                         SPMV_CSELL_COLUMN_MASKED, SPMV_CSELL_LISTS_MASKED};
    __shared__ shared_scratch shared;
    __shared__ shared_bounds bounds;
    const int64_t s = global_thread() / WARP;
    if (s >= from.slices) return;
    const chosen_form none = {SPMV_CSELL_ENCODINGS, 0, 0, INT64_MAX};
    seeking_slice<I> q = {from, of, s, of.bounds[s], scratch_of(of, s, &shared), &bounds, none, 0};
    for (int encoding : order) {
        try_form(&q, encoding);
        /* One number for each step of the longest row is few enough. */
        if (q.best.steps == q.b.width && q.best.words <= spmv__whole_bytes(q.best.steps)) break;
    }
    if (lane_id() > 0) return;
    of.encoding[s] = q.best.encoding;
    of.slots[s] = (int64_t)q.best.steps * from.slice;
    of.words[s] = q.best.words;
}

} // namespace

template <class I>
spmv_status spmv::csell_choose(const csell_source<I> *from, const csell_known *of, spmv__gpu *gpu,
                               spmv_error *err)
{
    return for_slices(choose_slices<I>, from, of, gpu, err);
}

#define X(I)                                                                              \
    template spmv_status spmv::csell_choose(const csell_source<I> *, const csell_known *, \
                                            spmv__gpu *, spmv_error *);
X(int32_t)
X(int64_t)
#undef X
