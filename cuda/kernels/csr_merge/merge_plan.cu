/* merge_plan.cu -- where csr-merge cuts its path into tiles.
 *
 * A tile begins where the one before it ends, which is known only then; so that the GPU can cut all
 * the same, the rows are divided into strips, and each strip is cut by one warp: once to count its
 * tiles and long rows, and once more to store them. */
#include "cuda/kernels/csr_merge/csr_merge.cuh"
#include "cuda/device/flagged_sum.cuh"
#include "cuda/device/plan.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr int BLOCK = 64;
PLAN_LIMIT(STRIP, 4096);                   /* rows that one warp cuts, at most, */
constexpr int64_t STRIP_ENTRIES = 1 << 14; /* and about so many entries: some 60 tiles, */
constexpr int LEAST = 32;                  /* but so many rows at least */
constexpr int ADDERS = 512;                /* threads that add up */

/* Holds the counts of one strip, and after add_up those of all strips before it. */
struct counts {
    int64_t tiles, long_rows, pieces;
};

/* Returns where row + 1 + lane begins, or stop. */
template <class I>
__device__ I next_begin(I row, I stop, const I *__restrict__ row_ptr)
{
    return row_ptr[min((I)(row + 1 + lane_id()), stop)];
}

/* Returns where the tile of whole rows ends that begins at `from`: as many rows as fit, but none
 * after high, which begins at entry `last`.  All lanes of a warp look, each at a row: `next` is
 * their next_begin.  Where the tile ends is among that, so that the one after it waits for no load
 * before its own. */
template <class I>
__device__ merge_tile<I> end_of_tile(merge_tile<I> from, I high, I last, I next,
                                     const I *__restrict__ row_ptr)
{
    const I limit = from.p / MERGE_WIDTH * MERGE_WIDTH + MERGE_ROOM;
    if (last <= limit) return {high, last}; /* as where most rows are empty */
    for (;;) {
        const bool fits = from.row + 1 + lane_id() <= high && next <= limit;
        const unsigned fit = __ballot_sync(ALL_LANES, fits);
        const int rows = __popc(fit);
        if (rows > 0) from = {from.row + rows, __shfl_sync(ALL_LANES, next, rows - 1)};
        if (fit != ALL_LANES) return from;
        next = next_begin(from.row, high, row_ptr);
    }
}

/* Says how rows are cut: pieces at most, rows at most. */
struct limits {
    int piece;
    int64_t row;
};

/* Cut a strip, which all lanes of a warp do together; returns its counts, and stores tiles and long
 * rows, the first of them and of their pieces with the numbers `at`, when `tile` is given. */
template <class I>
__device__ counts cut(I row, I stop, const I *__restrict__ row_ptr, limits most, counts at,
                      merge_tile<I> *tile, merge_long_row *long_row)
{
    const bool stores = tile != nullptr;
    const int lane = lane_id();
    I begin = row_ptr[row];
    while (row < stop) {
        const I high = min(stop, (I)(row + MERGE_ROWS)), last = row_ptr[high];
        const I next = next_begin(row, stop, row_ptr), end = __shfl_sync(ALL_LANES, next, 0);
        if (end - begin <= MERGE_LONGEST) {
            if (stores && lane == 0) tile[at.tiles] = {row, begin};
            at.tiles++;
            const merge_tile<I> after = end_of_tile({row, begin}, high, last, next, row_ptr);
            row = after.row;
            begin = after.p;
            continue;
        }
        const bool left_out = end - begin > most.row;
        const I number = (I)~at.long_rows, from = begin / MERGE_WIDTH * MERGE_WIDTH;
        const int64_t pieces = left_out ? 1 : ((int64_t)end - from + most.piece - 1) / most.piece;
        if (stores && lane == 0)
            long_row[at.long_rows] = {row, at.tiles, at.tiles + pieces - 1, at.pieces, 0};
        for (int64_t i = lane; stores && i < pieces; i += WARP)
            tile[at.tiles + i] = {left_out ? number + LEFT_OUT : number,
                                  i == 0 ? begin : (I)(from + i * most.piece)};
        at.tiles += pieces;
        at.pieces += left_out ? 0 : pieces;
        at.long_rows++;
        row++;
        begin = end;
    }
    return at;
}

/* tile NULL: store the counts of each strip; otherwise read what add_up made of them. */
template <class I>
__global__ void cut_strips(int64_t strips, int64_t strip, I rows, const I *__restrict__ row_ptr,
                           limits most, counts *of_strip, merge_tile<I> *tile,
                           merge_long_row *long_row)
{
    const int64_t s = global_thread() / WARP;
    if (s >= strips) return;
    const I row = (I)(s * strip), stop = (I)min(s * strip + strip, (int64_t)rows);
    const counts before = tile == nullptr ? counts{} : of_strip[s];
    const counts end = cut(row, stop, row_ptr, most, before, tile, long_row);
    if (lane_id() > 0) return;
    if (tile == nullptr)
        of_strip[s] = end;
    else if (stop == rows)
        tile[end.tiles] = {rows, row_ptr[rows]};
}

__device__ inline counts operator+(counts a, counts b)
{
    return {a.tiles + b.tiles, a.long_rows + b.long_rows, a.pieces + b.pieces};
}

/* Writes for each strip what came before it, and behind the last one what came in all.  It runs as
 * one block. */
__global__ void add_up(int64_t strips, counts *of_strip)
{
    __shared__ counts up_to[ADDERS];
    const int t = threadIdx.x;
    const int64_t each = (strips + ADDERS - 1) / ADDERS;
    const int64_t begin = min(t * each, strips), end = min(begin + each, strips);
    counts sum = {};
    for (int64_t s = begin; s < end; s++) sum = sum + of_strip[s];
    up_to[t] = sum;
    for (int o = 1; o < ADDERS; o *= 2) {
        __syncthreads();
        sum = t >= o ? up_to[t - o] + up_to[t] : up_to[t];
        __syncthreads();
        up_to[t] = sum;
    }
    __syncthreads();
    sum = t > 0 ? up_to[t - 1] : counts{};
    for (int64_t s = begin; s < end; s++) {
        const counts mine = of_strip[s];
        of_strip[s] = sum;
        sum = sum + mine;
    }
    if (t == ADDERS - 1) of_strip[strips] = sum;
}

/* ---- The rest ---------------------------------------------------------------------------------
 */

/* Finds the tiles that end among the last entries, fewer than MERGE_WIDTH, which are loaded with
 * what lies behind them; a piece of a long row, which can only be the first of them, makes nothing
 * of that.  All threads look, and one writes. */
template <class I>
__global__ void find_rest(int64_t tiles, int64_t whole, const merge_tile<I> *tile, merge_rest *rest)
{
    int64_t first =
        partition_point(tiles, [&](int64_t t) { return (int64_t)tile[t + 1].p <= whole; });
    if (first < tiles && tile[first].row < 0) first++;
    if (threadIdx.x > 0) return;
    *rest = {first, tile[first].p / MERGE_WIDTH * MERGE_WIDTH, nullptr};
}

__global__ void copy_columns(int64_t n, const int32_t *__restrict__ from, int64_t padded,
                             int32_t *__restrict__ to)
{
    const int64_t i = global_thread();
    if (i < padded) to[i] = i < n ? from[i] : 0;
}

/* Copies the last columns where nothing is known of what lies behind them. */
template <class I>
spmv_status copy_rest(merge_plan *plan, spmv__gpu *gpu, const spmv_csr *A, spmv_error *err)
{
    const cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t whole = A->nnz / MERGE_WIDTH * MERGE_WIDTH;
    merge_rest *found = NULL;
    spmv_status st;

    SPMV__TRY(device_array(&found, 1, "the last tiles", err));
    launch_kernel(find_rest<I>, 1, WARP, 0, stream, plan->tiles, whole,
                  (const merge_tile<I> *)plan->tile, found);
    SPMV__TRY(check_launch("the plan of csr-merge", err));
    SPMV__TRY(spmv__gpu_download(gpu, &plan->rest, found, sizeof *found, err));
    if (plan->rest.first < plan->tiles) {
        const int64_t n = A->nnz - plan->rest.begin, padded = n + MERGE_WIDTH;
        SPMV__TRY(device_array(&plan->rest.col_idx, padded, "the last columns", err));
        launch_kernel(copy_columns, blocks_for(padded, BLOCK), BLOCK, 0, stream, n,
                      A->col_idx + plan->rest.begin, padded, plan->rest.col_idx);
        st = check_launch("the plan of csr-merge", err);
    }
done:
    spmv__gpu_free(found);
    return st;
}

/* Returns the rows of a strip: fewer where they are long, so that no warp cuts for long. */
int64_t strip_of(const spmv_csr *A)
{
    const int64_t rows = STRIP_ENTRIES / (A->nnz / A->rows + 1);
    return min((int64_t)STRIP, max(rows, (int64_t)LEAST));
}

/* Makes the plan by two passes over the strips. */
template <class I>
spmv_status cut_matrix(merge_plan *plan, spmv__gpu *gpu, const spmv_gpu_matrix *M, limits most,
                       spmv_error *err)
{
    const spmv_csr *A = &M->shape.csr;
    const bool bare = M->borrowed && M->col_idx_copy == NULL;
    const int64_t strip = strip_of(A), strips = (A->rows + strip - 1) / strip;
    const cudaStream_t stream = spmv__gpu_stream(gpu);
    const auto pass = [&](counts *of_strip) {
        launch_kernel(cut_strips<I>, blocks_for(strips * WARP, BLOCK), BLOCK, 0, stream, strips,
                      strip, (I)A->rows, (const I *)A->row_ptr, most, of_strip,
                      (merge_tile<I> *)plan->tile, plan->long_row);
        return check_launch("the plan of csr-merge", err);
    };
    spmv_status st;
    counts *of_strip = NULL, sum;
    flagged_sum<c128> *flagged = NULL;

    SPMV__TRY(device_array(&of_strip, strips + 1, "strips of rows", err));
    SPMV__TRY(pass(of_strip));
    launch_kernel(add_up, 1, ADDERS, 0, stream, strips, of_strip);
    SPMV__TRY(check_launch("the plan of csr-merge", err));
    SPMV__TRY(spmv__gpu_download(gpu, &sum, of_strip + strips, sizeof sum, err));
    plan->tiles = sum.tiles;
    plan->long_rows = sum.long_rows;
    plan->pieces = sum.pieces;
    SPMV__TRY(device_array((merge_tile<I> **)&plan->tile, sum.tiles + 1, "the tiles", err));
    SPMV__TRY(device_array(&plan->long_row, sum.long_rows, "the long rows", err));
    SPMV__TRY(device_array(&flagged, sum.pieces, "sums of pieces", err));
    plan->sums = flagged;
    SPMV__TRY(spmv__gpu_clear(gpu, flagged, sum.pieces * (int64_t)sizeof *flagged, err));
    SPMV__TRY(pass(of_strip));
    plan->rest.first = plan->tiles;
    if (bare && A->nnz % MERGE_WIDTH != 0) SPMV__TRY(copy_rest<I>(plan, gpu, A, err));
    SPMV__TRY(spmv__gpu_synchronize(gpu, err));
done:
    spmv__gpu_free(of_strip);
    return st;
}

} // namespace

spmv_status spmv::merge_plan_create(merge_plan **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                                    int longest, int64_t most, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    merge_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, "the plan of csr-merge", err));
    if (A->shape.csr.rows > 0)
        by_index(A, [&](auto i) {
            st = cut_matrix<decltype(i)>(plan, gpu, A, {longest, most}, err);
        });
    SPMV__TRY(st);
    *out = plan;
    plan = NULL;
done:
    merge_plan_destroy(plan);
    return st;
}

void spmv::merge_plan_destroy(void *p)
{
    merge_plan *plan = (merge_plan *)p;
    if (plan == NULL) return;
    spmv__gpu_free(plan->tile);
    spmv__gpu_free(plan->long_row);
    spmv__gpu_free(plan->sums);
    spmv__gpu_free(plan->rest.col_idx);
    free(plan);
}
