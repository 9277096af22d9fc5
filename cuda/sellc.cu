/* sellc.cu -- sliced ELLPACK with compressed columns, several rows per thread.
 *
 * Idea     SELL whose slices say in few bytes where their columns are: one number for a whole step
 *          (a distance from the diagonal, or a column) and a bit for each row, or 16 bits for each
 *          slot or block of slots.  The rows of a thread are 32 apart, so that values, and x under
 *          a diagonal, are read side by side; several steps of all its rows are loaded before the
 *          first is used.  Where rows are too few to fill the GPU, warps share the steps of a slice
 * Good at  stencils, bands, finite elements, dense blocks
 * Bad at   columns all over x (then it is SELL); a single enormous row (padding for its slice)
 * Traffic  per slot, padding included: value, and for its column an eighth of a byte to 4 bytes;
 *          per nonzero: x; per row: y, and 4 bytes of permutation where rows were sorted; per
 *          slice: 3 offsets, an encoding, and 4 bytes for each step that is one number
 * Result   deterministic: a row is summed in storage order, in as many shares as follow from the
 *          shape of the matrix
 * Source   slices: Kreutzer, Hager, Wellein, Fehske and Bishop, SISC 36, 2014; distances from the
 *          diagonal: Godwin, Holewinski and Sadayappan, GPGPU-5, 2012 */
#include "sellc.cuh"

#include <algorithm>

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;
constexpr int FEW = 1 << 12;  /* warps, too few to have several rows in a thread */
constexpr int FULL = 1 << 13; /* warps that fill a GPU */
constexpr int SHARE = 16;     /* steps at least, where warps share a slice */

/* Threads of a block at most, and blocks on a multiprocessor at least, for R rows in a thread. */
template <int R>
constexpr int LARGEST = R > 1 ? 128 : 512;
template <class I, int R>
constexpr int RESIDENT = R > 1 && sizeof(I) == 4 ? 5 : 1;

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Add share `share` of 1 << shares of the steps; val is the value of step 0 and the first row. What
 * is no entry counts as 0 times 0, whatever x holds. */
template <class K, class I, int R, class COLUMNS>
__device__ inline void add_steps(COLUMNS columns, const typename K::V *__restrict__ val, int share,
                                 int shares, typename K::S (&sum)[R])
{
    constexpr int STEPS = COLUMNS::STEPS;
    const I each = (((columns.steps - 1) >> shares) + STEPS) / STEPS * STEPS, begin = share * each;
    const I end = columns.steps - begin < each ? columns.steps : begin + each;
    for (I k = begin; k < end; k += STEPS) {
        typename K::V v[STEPS][R];
        typename K::T x[STEPS][R];
#pragma unroll
        for (int u = 0; u < STEPS; u++)
#pragma unroll
            for (int r = 0; r < R; r++) {
                v[u][r] = {};
                if (k + u < end)
                    v[u][r] = load_once(val + (int64_t)(k + u) * columns.slice + WARP * r);
            }
        columns.load(k);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
#pragma unroll
            for (int r = 0; r < R; r++) {
                x[u][r] = {};
                if (columns.has(u, r))
                    x[u][r] = K::READONLY ? load_readonly(columns.at(u, r)) : *columns.at(u, r);
            }
#pragma unroll
        for (int u = 0; u < STEPS; u++)
#pragma unroll
            for (int r = 0; r < R; r++) sum[r] += widen(v[u][r]) * widen(x[u][r]);
    }
}

/* n / d by one multiplication: exact for 1 <= d <= 32 and n < 2^27. */
struct divisor {
    uint64_t reciprocal;
    explicit divisor(int64_t d) : reciprocal((1ull << 32) / (uint64_t)d + 1) {}
    __device__ int32_t quotient(int32_t n) const
    {
        return (int32_t)((uint64_t)n * reciprocal >> 32);
    }
};

/* A matrix on the device. */
template <class K, class I>
struct matrix {
    int32_t rows, slice, slices;
    divisor warps;       /* of 32 lanes in a slice */
    const int32_t *perm; /* NULL: rows are in their own order */
    const int32_t *encoding, *code;
    const I *slice_ptr, *code_ptr;
    const typename K::V *val;
};

/* A share of the steps of slice s, in blocks of B; row holds the R rows, or -1 where there is none:
 * what is added up there goes nowhere. */
template <int B, class K, class I, int R>
__device__ inline void add_blocks(const matrix<K, I> &A, int32_t s, const int32_t *code, I steps,
                                  const int32_t (&row)[R], const typename K::V *val, int share,
                                  int shares, const typename K::T *x, typename K::S (&sum)[R])
{
    const int32_t groups = (A.slice / B + 3) / 2 * 2;
    const I words = (steps / B * (groups / 2) + 7) / 8 * 8;
    block_columns<K, I, R, B> columns = {(const uint16_t *)code, A.slice, steps, x + code[words],
                                         groups};
#pragma unroll
    for (int r = 0; r < R; r++) columns.group[r] = row[r] < 0 ? 0 : row[r] / B - s * A.slice / B;
    add_steps<K, I, R>(columns, val, share, shares, sum);
}

/* The same in any form, from `lane` on. */
template <class K, class I, int R>
__device__ inline void add_slice(const matrix<K, I> &A, int32_t s, int32_t lane,
                                 const int32_t (&row)[R], int share, int shares,
                                 const typename K::T *x, typename K::S (&sum)[R])
{
    const I first = A.slice_ptr[s], slots = A.slice_ptr[s + 1] - first;
    const I steps = sizeof(I) == 4 ? (I)A.warps.quotient((int32_t)(slots / WARP)) : slots / A.slice;
    const int32_t *code = A.code + A.code_ptr[s];
    const typename K::V *val = A.val + first + lane;
    const int32_t encoding = A.encoding[s];

    if (encoding == SPMV_SELLC_FAR) {
        far_columns<K, I, R> columns = {code + lane, A.slice, steps, x};
        add_steps<K, I, R>(columns, val, share, shares, sum);
    } else if (encoding == SPMV_SELLC_NEAR) {
        const int32_t base = code[(int64_t)((steps + 1) / 2) * A.slice];
        near_columns<K, I, R> columns = {code + lane, A.slice, steps, x + base};
        add_steps<K, I, R>(columns, val, share, shares, sum);
    } else if (encoding == SPMV_SELLC_BLOCK2) {
        add_blocks<2, K, I, R>(A, s, code, steps, row, val, share, shares, x, sum);
    } else if (encoding == SPMV_SELLC_BLOCK3) {
        add_blocks<3, K, I, R>(A, s, code, steps, row, val, share, shares, x, sum);
    } else {
        const bool masked =
            encoding == SPMV_SELLC_DIAGONAL_MASKED || encoding == SPMV_SELLC_COLUMN_MASKED;
        const bool relative = encoding <= SPMV_SELLC_DIAGONAL_MASKED;
        const uint8_t *mask = (const uint8_t *)(code + (steps + 7) / 8 * 8) + lane;
        shared_columns<K, I, R> columns = {code, masked ? mask : nullptr, A.slice, steps};
#pragma unroll
        for (int r = 0; r < R; r++) columns.x[r] = x + (relative ? row[r] : 0);
        add_steps<K, I, R>(columns, val, share, shares, sum);
    }
}

/* 1 << shares warps share the steps of `parts`, R * 32 rows each, of a slice. */
template <class K, class I, int R>
__global__ void __launch_bounds__(LARGEST<R>, (RESIDENT<I, R>))
    sellc(matrix<K, I> A, divisor parts, int shares, typename K::S alpha, const typename K::T *x,
          typename K::S beta, typename K::T *__restrict__ y)
{
    const int warp = (int)(threadIdx.x / WARP), share = warp & ((1 << shares) - 1);
    const int32_t part = (int32_t)(blockIdx.x * (blockDim.x / WARP) + warp) >> shares;
    const int32_t s = parts.quotient(part);
    const int64_t first = (int64_t)part * (WARP * R) + threadIdx.x % WARP;
    const int32_t lane = (int32_t)(first - (int64_t)s * A.slice);
    typename K::S sum[R] = {};
    int32_t row[R]; /* or -1 */
#pragma unroll
    for (int r = 0; r < R; r++) {
        const int64_t i = first + WARP * r;
        row[r] = i < A.rows ? A.perm != nullptr ? A.perm[i] : (int32_t)i : -1;
    }
    if (s < A.slices) add_slice<K, I, R>(A, s, lane, row, share, shares, x, sum);
    if (shares > 0) {
        typename K::S *sums = (typename K::S *)dynamic_shared_pairs; /* one of each thread */
#pragma unroll
        for (int r = 0; r < R; r++) {
            sums[threadIdx.x] = sum[r];
            __syncthreads();
            for (int i = 1; share == 0 && i >> shares == 0; i++)
                sum[r] += sums[(int)threadIdx.x + WARP * i];
            __syncthreads();
        }
    }
#pragma unroll
    for (int r = 0; r < R; r++)
        if (share == 0 && row[r] >= 0) finish(y, row[r], alpha, sum[r], beta);
}

/* ---- Launching ------------------------------------------------------------------------------ */

template <class K, class I, int R>
void launch_rows(const spmv__launch *run)
{
    const spmv_sellc *A = &run->A->shape.sellc;
    const int64_t slices = (A->rows + A->slice - 1) / A->slice, lanes = slices * A->slice;
    const int64_t parts = A->slice / (WARP * R), warps = slices * parts;
    int shares = 0;
    while (WARP << shares < LARGEST<R> && warps << shares < FULL &&
           A->slots >= (2 * SHARE << shares) * lanes)
        shares++;
    const int block = std::max(std::min(run->config->block_size, LARGEST<R>), WARP << shares);
    const matrix<K, I> B = {(int32_t)A->rows,
                            (int32_t)A->slice,
                            (int32_t)slices,
                            divisor(A->slice / WARP),
                            A->window > 1 ? A->perm : nullptr,
                            A->encoding,
                            A->code,
                            (const I *)A->slice_ptr,
                            (const I *)A->code_ptr,
                            (const typename K::V *)A->val};
    start(sellc<K, I, R>, blocks_for((warps << shares) * WARP, block), block,
          shares > 0 ? block * (int64_t)sizeof(typename K::S) : 0, (cudaStream_t)run->stream, B,
          divisor(parts), shares, factor<K>(run->alpha), (const typename K::T *)run->x,
          factor<K>(run->beta), (typename K::T *)run->y);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_sellc *A = &run->A->shape.sellc;
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            constexpr int LANES = SELLC_ROWS<K> * WARP;
            const bool several = A->slice % LANES == 0 && A->rows / LANES >= FEW;
            several ? launch_rows<K, I, SELLC_ROWS<K>>(run) : launch_rows<K, I, 1>(run);
        });
    });
    return check_launch("sellc", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__sellc_kernel = {NULL, NULL, launch, BLOCK, NULL};
