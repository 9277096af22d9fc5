/* sweep_plan.cu -- how csr-sweep cuts a matrix into blocks, and makes its plan of them.
 *
 * Blocks take equal times: as many for each multiprocessor as it takes for their sums to fit into
 * its shared memory, and to leave room for x.  How many slots rows need is known only when entries
 * are in order, so that a matrix may have to be cut again, into more blocks. */
#include "cuda/kernels/csr_sweep/csr_sweep.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-sweep";
constexpr int BLOCK = 256;
PLAN_LIMIT(LEAST, 1 << 13);         /* entries of a block, where there are fewer blocks for that */
PLAN_LIMIT(LONG_ROW, 1 << 12);      /* entries; longer rows are cut */
constexpr int64_t MOST_ROUNDS = 64; /* of blocks on all multiprocessors */
constexpr int ENTRY = 4;            /* an entry takes as long as so many rows */
constexpr int SHORTER_SHARE = 16;   /* of the blocks of a round are shorter, the last ones of all */
constexpr double MOST_LACKING = 0.25; /* of a block, in the very last one */
constexpr int THREADS = 1024;         /* of a multiprocessor, in one block or in several */
constexpr int RESERVED = 1024;        /* bytes of shared memory that a block cannot have */
constexpr int WINDOW_SHARE = 8;       /* of the L2 cache that holds the x of a window */

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Mark the last entry of each row. */
__global__ void mark_ends(int64_t rows, const int32_t *__restrict__ row_ptr, sweep_marks *ends)
{
    const int64_t r = global_thread();
    if (r >= rows || row_ptr[r] == row_ptr[r + 1]) return;
    const int32_t last = row_ptr[r + 1] - 1;
    atomicOr(&ends[last / WARP].marked, 1u << last % WARP);
}

__global__ void count_ends(int64_t words, const sweep_marks *__restrict__ ends, int32_t *count)
{
    const int64_t w = global_thread();
    if (w < words) count[w] = __popc(ends[w].marked);
}

__global__ void set_before(int64_t words, const int32_t *__restrict__ before, sweep_marks *ends)
{
    const int64_t w = global_thread();
    if (w < words) ends[w].before = before[w];
}

/* Fill plan->rows, a word by each warp. */
__global__ void fill_rows(int64_t rows, sweep_entries of, sweep_marks *to)
{
    const int64_t r = global_thread();
    const bool filled = r < rows && of.row_ptr[r] < of.row_ptr[r + 1];
    const unsigned all = __ballot_sync(ALL_LANES, filled);
    if (lane_id() == 0 && r <= rows) to[r / WARP] = {all, sweep_number(of, of.row_ptr[r])};
}

spmv_status number_rows(sweep_plan *plan, sweep_entries *of, spmv__gpu *gpu, arena *room,
                        int64_t rows, int32_t *numbers, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t words = of->nnz / WARP + 1;
    int32_t *before = NULL;
    spmv_status st;

    SPMV__TRY(arena_take(plan->kept, &plan->rows, rows / WARP + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &of->ends, words, PLAN, err));
    SPMV__TRY(arena_take(room, &before, words + 1, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, of->ends, words * (int64_t)sizeof *of->ends, err));
    launch_kernel(mark_ends, blocks_for(rows, BLOCK), BLOCK, 0, stream, rows, of->row_ptr,
                  of->ends);
    launch_kernel(count_ends, blocks_for(words, BLOCK), BLOCK, 0, stream, words,
                  (const sweep_marks *)of->ends, before);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(before, words, gpu, room, numbers, err));
    launch_kernel(set_before, blocks_for(words, BLOCK), BLOCK, 0, stream, words,
                  (const int32_t *)before, of->ends);
    launch_kernel(fill_rows, blocks_for(rows + 1, BLOCK), BLOCK, 0, stream, rows, *of, plan->rows);
    st = check_launch(PLAN, err);
done:
    return st;
}

/* ---- Blocks --------------------------------------------------------------------------------- */

/* Returns the work before block b, in blocks of full length: the last ones get shorter, one by one,
 * as multiprocessors that are late take them. */
__device__ inline double work_before(int64_t b, int64_t blocks, int64_t shorter)
{
    const auto among = (double)max(b - (blocks - shorter), (int64_t)0);
    if (among == 0) return (double)b;
    return (double)b - MOST_LACKING * among * (among + 1) / (double)(2 * shorter);
}

/* Block b begins with a row, or within a long one. */
__global__ void cut_blocks(sweep_plan plan, sweep_entries of, int64_t rows, int64_t shorter)
{
    const int64_t b = global_thread();
    if (b > plan.blocks) return;
    const auto time = [&](int64_t r) { return ENTRY * (int64_t)of.row_ptr[r] + r; };
    const auto share = (double)time(rows) / work_before(plan.blocks, plan.blocks, shorter) *
                       work_before(b, plan.blocks, shorter);
    const int64_t at = b == plan.blocks ? time(rows) : (int64_t)share;
    const int64_t r = partition_point(rows, [&](int64_t k) { return time(k) < at; });
    sweep_block mine = {of.row_ptr[r], r, 0, 0, 0};
    if (r > 0 && of.row_ptr[r] - of.row_ptr[r - 1] > LONG_ROW && b < plan.blocks) {
        const int64_t entry = of.row_ptr[r - 1] + (at - time(r - 1)) / ENTRY;
        if (entry < of.row_ptr[r]) mine = {entry, r - 1, 0, 0, 0};
    }
    if (b == 0) mine = {};
    mine.number = sweep_number(of, mine.entry);
    plan.block[b] = mine;
}

/* Says where the first row of a block begins. */
__global__ void find_first_blocks(sweep_plan plan, sweep_entries of)
{
    const int64_t b = global_thread();
    if (b > plan.blocks) return;
    const sweep_block mine = plan.block[b];
    const auto within = [&](int64_t k) {
        return plan.block[k].row == mine.row && plan.block[k].entry > of.row_ptr[mine.row];
    };
    int64_t k = b;
    if (b < plan.blocks)
        while (within(k)) k--;
    plan.block[b].first_block = (int32_t)k;
}

__global__ void find_cut_rows(sweep_plan plan)
{
    const int64_t b = global_thread();
    if (b >= plan.blocks) return;
    int64_t last = b;
    while (plan.block[last + 1].first_block == b) last++;
    plan.cut[b] = {plan.block[b + 1].row, b, last, 2 * b + 1, 0};
}

/* Cuts the matrix into plan->blocks blocks, of which so many run at once, and says how many rows
 * the one with the most has that are not empty. */
spmv_status cut(sweep_plan *plan, const sweep_entries *of, spmv__gpu *gpu, int64_t rows,
                int64_t round, int32_t *most, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t n = plan->blocks + 1;
    const int64_t shorter = plan->blocks > round ? (round + SHORTER_SHARE - 1) / SHORTER_SHARE : 0;
    sweep_block *block = NULL;
    spmv_status st;

    SPMV__TRY(arena_take(plan->kept, &plan->block, n, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->cut, plan->blocks, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (c128 **)&plan->pieces, 2 * plan->blocks, PLAN, err));
    launch_kernel(cut_blocks, blocks_for(n, BLOCK), BLOCK, 0, stream, *plan, *of, rows, shorter);
    launch_kernel(find_first_blocks, blocks_for(n, BLOCK), BLOCK, 0, stream, *plan, *of);
    launch_kernel(find_cut_rows, blocks_for(n, BLOCK), BLOCK, 0, stream, *plan);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(spmv__alloc(&block, n, sizeof *block, PLAN, err));
    SPMV__TRY(spmv__gpu_download(gpu, block, plan->block, n * (int64_t)sizeof *block, err));
    *most = 0;
    for (int64_t b = 0; b < plan->blocks; b++)
        *most = max(*most, block[b + 1].number - block[b].number + 1);
done:
    free(block);
    return st;
}

/* ---- Everything ------------------------------------------------------------------------------ */

/* What the GPU has. */
struct sweep_device {
    int cache;     /* bytes */
    int slots;     /* of a block */
    int64_t round; /* blocks that run at once */
};

spmv_status ask_device(sweep_device *out, int sum_size, int threads, spmv_error *err)
{
    const int resident = max(1, THREADS / threads); /* blocks of a multiprocessor */
    int shared = 0, most = 0, multiprocessors = 0;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &multiprocessors, err));
    SPMV__TRY(device_has(cudaDevAttrL2CacheSize, &out->cache, err));
    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most, err));
    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &shared, err));
    out->slots = min(min(shared / resident - RESERVED, most) / sum_size, UINT16_MAX);
    out->round = (int64_t)multiprocessors * resident;
done:
    return st;
}

/* Returns the batches of a window: their x fits into a part of the cache. */
int window_for(const sweep_device *d, const sweep_plan *plan, const spmv_csr *A, int x_size)
{
    const double entries = (double)A->nnz / (double)plan->blocks;
    const double x = (double)A->cols * x_size * plan->threads / (entries + 1);
    return max(1, (int)min((double)d->cache / WINDOW_SHARE / x, 1e6));
}

/* Returns how many slots rows may take, so that extra ones fit, and loads of x have room in the L1
 * cache: more of them where another round would cost more. */
int64_t rows_that_fit(const sweep_device *d, int64_t rounds)
{
    return max(d->slots * (50 + 8 / rounds) / 100, (int64_t)1);
}

/* Plans all that is not chosen. */
spmv_status plan_blocks(sweep_plan *plan, spmv__gpu *gpu, const spmv_csr *A, spmv_type vectors,
                        spmv_error *err)
{
    arena rows = {}, room = {};
    sweep_entries of = {};
    sweep_device d = {};
    const int64_t most_blocks = max(A->nnz / LEAST, (int64_t)1);
    int32_t numbers = 0;
    bool is_last = false;
    spmv_status st;

    of.row_ptr = (const int32_t *)A->row_ptr;
    of.col_idx = A->col_idx;
    of.nnz = A->nnz;
    SPMV__TRY(ask_device(&d, sweep_sum_size(vectors), plan->threads, err));
    SPMV__TRY(number_rows(plan, &of, gpu, &rows, A->rows, &numbers, err));
    for (int64_t rounds = numbers / (d.round * rows_that_fit(&d, 1)) + 1; !is_last;) {
        const int64_t fit = rows_that_fit(&d, rounds);
        int32_t most = 0;
        plan->blocks = min(min(rounds, MOST_ROUNDS) * d.round, most_blocks);
        plan->window = window_for(&d, plan, A, (int)spmv_type_size(vectors));
        SPMV__TRY(cut(plan, &of, gpu, A->rows, d.round, &most, err));
        is_last = plan->blocks == most_blocks || rounds >= MOST_ROUNDS;
        if (most > (is_last ? d.slots : fit)) {
            rounds = max(rounds + 1, rounds * most / fit);
            continue;
        }
        arena_restart(&room, 8, 22 * A->nnz);
        SPMV__TRY(sweep_order(plan, &of, gpu, &room, A->cols, err));
        if (plan->groups == 0) break;
        SPMV__TRY(sweep_slots(plan, &of, gpu, &room, numbers, &most, err));
        plan->slots = most;
        if (most <= d.slots) break;
        rounds *= 2;
    }
    if (plan->groups > 0 && plan->slots <= d.slots) {
        plan->sum_size = sweep_sum_size(vectors);
        SPMV__TRY(sweep_write(plan, &of, gpu, A, err));
    }
    st = spmv__gpu_synchronize(gpu, err);
done:
    arena_release(&room);
    arena_release(&rows);
    return st;
}

} // namespace

spmv_status spmv::sweep_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *M,
                                    const spmv_kernel_options *options, spmv_error *err)
{
    const spmv_csr *A = &M->shape.csr;
    spmv_status st = SPMV_SUCCESS;
    sweep_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    SPMV__TRY(spmv__alloc(&plan->kept, 1, sizeof *plan->kept, PLAN, err));
    SPMV__TRY(merge_plan_create(&plan->merge, gpu, M, merge_piece_for(A->nnz), INT64_MAX, err));
    plan->threads = options->block_size;
    if (M->narrow && A->nnz > 0 && A->rows + A->nnz <= SPMV__NARROW_LIMIT)
        SPMV__TRY(plan_blocks(plan, gpu, A, planned_type(M, options), err));
    *out = plan;
    plan = NULL;
done:
    sweep_plan_destroy(plan);
    return st;
}

void spmv::sweep_plan_destroy(void *p)
{
    sweep_plan *plan = (sweep_plan *)p;
    if (plan == NULL) return;
    merge_plan_destroy(plan->merge);
    if (plan->kept != NULL) arena_release(plan->kept);
    free(plan->kept);
    free(plan);
}
