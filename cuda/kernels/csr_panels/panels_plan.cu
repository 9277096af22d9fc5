/* panels_plan.cu -- which rows csr-panels cuts at panels of x, where, and who takes what.
 *
 * The parts are cut into pieces, so that no warp has to work for long.  Blocks get equal numbers of
 * entries, panel after panel, and take their longest pieces first: those side by side are alike,
 * and the end is not one warp that all wait for. */
#include "cuda/kernels/csr_panels/csr_panels.cuh"
#include "cuda/device/key_values.cuh"

#include <cmath>
#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-panels";
constexpr int BLOCK = 128;
PLAN_LIMIT(LEAST, 16);           /* entries of a part, in the mean of a row */
PLAN_LIMIT(LONGEST, 256);        /* piece */
constexpr int REST_PIECE = 2048; /* entries of a piece of a row that is not in panels */
constexpr double LITTLE = 0.2;   /* of what a block takes */

/* CSR on the device; all of it but the values is narrow. */
struct panel_source {
    int64_t rows;
    const int32_t *row_ptr, *col_idx;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Mark the rows with more than `limit` entries. */
__global__ void mark_rows(panel_source A, int64_t limit, int32_t *marked, int32_t *entries)
{
    const int64_t r = global_thread();
    if (r > A.rows) return;
    const int32_t length = r < A.rows ? A.row_ptr[r + 1] - A.row_ptr[r] : 0;
    marked[r] = r < A.rows && length > limit;
    entries[r] = marked[r] ? length : 0;
}

__global__ void list_rows(int64_t rows, const int32_t *__restrict__ before, int32_t *row)
{
    const int64_t r = global_thread();
    if (r < rows && before[r] < before[r + 1]) row[before[r]] = (int32_t)r;
}

/* Finds the rows with more than `limit` entries, unless all of them have little of the matrix. */
spmv_status choose_rows(panels_plan *plan, spmv__gpu *gpu, arena *room, const spmv_csr *A,
                        int64_t limit, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const panel_source from = {A->rows, (const int32_t *)A->row_ptr, A->col_idx};
    int32_t *before = NULL, *entries = NULL, rows = 0, nnz = 0;
    spmv_status st;

    SPMV__TRY(arena_take(room, &before, A->rows + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &entries, A->rows + 1, PLAN, err));
    launch_kernel(mark_rows, blocks_for(A->rows + 1, BLOCK), BLOCK, 0, stream, from, limit, before,
                  entries);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(before, A->rows, gpu, room, &rows, err));
    SPMV__TRY(exclusive_sum(entries, A->rows, gpu, room, &nnz, err));
    if (nnz < A->nnz / 16) goto done;
    plan->rows = rows;
    SPMV__TRY(device_array(&plan->row, rows, PLAN, err));
    launch_kernel(list_rows, blocks_for(A->rows, BLOCK), BLOCK, 0, stream, A->rows, before,
                  plan->row);
    st = check_launch(PLAN, err);
done:
    return st;
}

/* ---- Pieces -----------------------------------------------------------------------------------
 */

/* Returns the first entry of row r from panel p on. */
__device__ inline int32_t first_from(const panel_source &A, int panel, int64_t r, int64_t p)
{
    const int32_t begin = A.row_ptr[r];
    return begin + (int32_t)partition_point(A.row_ptr[r + 1] - begin, [&](int64_t k) {
               return A.col_idx[begin + k] < p * panel;
           });
}

/* Part i, and its place when sums go row by row. */
__device__ inline panel_piece part(const panel_source &A, const panels_plan &plan, int64_t i)
{
    const int64_t k = i % plan.rows, p = i / plan.rows, r = plan.row[k];
    return {first_from(A, plan.panel, r, p), first_from(A, plan.panel, r, p + 1),
            (int32_t)(k * plan.panels + p)};
}

__global__ void count_pieces(panel_source A, panels_plan plan, int32_t *entries)
{
    const int64_t i = global_thread(), n = plan.rows * plan.panels;
    if (i > n) return;
    const panel_piece all = i < n ? part(A, plan, i) : panel_piece{0, 0, (int32_t)n};
    const int32_t pieces = (all.end - all.begin + LONGEST - 1) / LONGEST;
    entries[i] = all.end - all.begin;
    plan.first_piece[i] = pieces;
    plan.first_sum[all.place] = pieces;
}

/* Returns where in the row of blocks a panel begins: no block takes a little of one and then
 * another. */
__device__ inline double begin_of(const panels_plan &plan, int64_t p, const int32_t *before)
{
    const double at = (double)before[p * plan.rows] * plan.blocks / before[plan.panels * plan.rows];
    const double whole = floor(at + 0.5);
    return fabs(at - whole) < LITTLE ? whole : at;
}

/* Returns the block that takes part i, with so many entries before each. */
__device__ inline int64_t block_of(const panels_plan &plan, int64_t i, const int32_t *before)
{
    const int64_t p = i / plan.rows, first = before[p * plan.rows];
    const double begin = begin_of(plan, p, before), end = begin_of(plan, p + 1, before);
    const int64_t all = max(before[(p + 1) * plan.rows] - first, (int64_t)1);
    return min((int64_t)(begin + (end - begin) * (double)(before[i] - first) / (double)all),
               (int64_t)plan.blocks - 1);
}

/* Finds the first piece of each block. */
__global__ void find_first_pieces(panels_plan plan, const int32_t *__restrict__ before)
{
    const int64_t b = global_thread();
    if (b > plan.blocks) return;
    plan.first_of_block[b] = plan.first_piece[partition_point(
        plan.rows * plan.panels, [&](int64_t i) { return block_of(plan, i, before) < b; })];
}

/* Cuts parts into pieces, with keys by which those of a block and a panel go by length. */
__global__ void cut_parts(panel_source A, panels_plan plan, const int32_t *__restrict__ before,
                          key_values to, panel_piece *pieces)
{
    const int64_t i = global_thread();
    if (i >= plan.rows * plan.panels) return;
    const panel_piece all = part(A, plan, i);
    const unsigned group = (unsigned)(block_of(plan, i, before) + i / plan.rows);
    int32_t at = plan.first_piece[i], place = plan.first_sum[all.place];
    for (int32_t p = all.begin; p < all.end; p += LONGEST) {
        const int32_t end = min(p + LONGEST, all.end);
        pieces[at] = {p, end, place++};
        to.value[at] = at;
        to.key[at] = group * LONGEST + LONGEST - (unsigned)(end - p);
        at++;
    }
}

__global__ void store_pieces(key_values of, const panel_piece *from, panel_piece *to)
{
    const int64_t i = global_thread();
    if (i < of.n) to[i] = from[of.value[i]];
}

spmv_status cut_rows(panels_plan *plan, spmv__gpu *gpu, arena *room, const spmv_csr *A,
                     spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const panel_source from = {A->rows, (const int32_t *)A->row_ptr, A->col_idx};
    const int64_t n = plan->rows * plan->panels;
    int32_t *before = NULL, sum = 0;
    key_values sorted = {};
    panel_piece *piece = NULL;
    spmv_status st;

    SPMV__TRY(arena_take(room, &before, n + 1, PLAN, err));
    SPMV__TRY(device_array(&plan->first_piece, n + 1, PLAN, err));
    SPMV__TRY(device_array(&plan->first_sum, n + 1, PLAN, err));
    launch_kernel(count_pieces, blocks_for(n + 1, BLOCK), BLOCK, 0, stream, from, *plan, before);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(before, n, gpu, room, &sum, err));
    SPMV__TRY(exclusive_sum(plan->first_sum, n, gpu, room, &sum, err));
    SPMV__TRY(exclusive_sum(plan->first_piece, n, gpu, room, &sum, err));
    SPMV__TRY(key_values_take(&sorted, sum, room, PLAN, err));
    SPMV__TRY(arena_take(room, &piece, sum, PLAN, err));
    SPMV__TRY(device_array(&plan->piece, sum, PLAN, err));
    SPMV__TRY(device_array((c128 **)&plan->sums, sum, PLAN, err));
    SPMV__TRY(device_array(&plan->first_of_block, plan->blocks + 1, PLAN, err));
    launch_kernel(find_first_pieces, blocks_for(plan->blocks + 1, BLOCK), BLOCK, 0, stream, *plan,
                  before);
    launch_kernel(cut_parts, blocks_for(n, BLOCK), BLOCK, 0, stream, from, *plan, before, sorted,
                  piece);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(key_values_sort(&sorted, bits_of((plan->blocks + plan->panels) * LONGEST), gpu, room,
                              PLAN, err));
    launch_kernel(store_pieces, blocks_for(sum, BLOCK), BLOCK, 0, stream, sorted,
                  (const panel_piece *)piece, plan->piece);
    st = check_launch(PLAN, err);
done:
    return st;
}

/* ---- Everything ------------------------------------------------------------------------------ */

/* Takes as few panels as fit, or a few more that divide the blocks among them. */
spmv_status choose_panels(panels_plan *plan, const spmv_csr *A, int x_size, spmv_error *err)
{
    int shared = 0, most;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &plan->blocks, err));
    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err));
    most = (shared - 16) / x_size;
    plan->panels = (A->cols + most - 1) / most;
    while (plan->panels < plan->blocks && plan->blocks % plan->panels != 0) plan->panels++;
    plan->panel = (int)((A->cols + plan->panels - 1) / plan->panels);
done:
    return st;
}

spmv_status plan_panels(panels_plan *plan, spmv__gpu *gpu, const spmv_gpu_matrix *M, int x_size,
                        spmv_error *err)
{
    const spmv_csr *A = &M->shape.csr;
    arena room = {};
    int64_t most; /* entries of a row that is not in panels */
    spmv_status st = SPMV_SUCCESS;

    if (!M->narrow || A->rows + A->nnz > SPMV__NARROW_LIMIT || A->nnz == 0) return st;
    SPMV__TRY(choose_panels(plan, A, x_size, err));
    most = A->nnz / LEAST / plan->panels >= A->rows
               ? -1
               : max(LEAST * plan->panels, (int64_t)MERGE_ROOM);
    SPMV__TRY(choose_rows(plan, gpu, &room, A, most, err));
    if (plan->rows == 0) goto done;
    SPMV__TRY(cut_rows(plan, gpu, &room, A, err));
    if (plan->rows < A->rows)
        SPMV__TRY(merge_plan_create(&plan->rest, gpu, M, REST_PIECE, most, err));
    plan->x_size = x_size;
done:
    arena_release(&room);
    return st;
}

} // namespace

spmv_status spmv::panels_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                                     const spmv_kernel_options *options, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    panels_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    SPMV__TRY(
        merge_plan_create(&plan->all, gpu, A, merge_piece_for(A->shape.csr.nnz), INT64_MAX, err));
    SPMV__TRY(plan_panels(plan, gpu, A, planned_size(A, options), err));
    *out = plan;
    plan = NULL;
done:
    panels_plan_destroy(plan);
    return st;
}

void spmv::panels_plan_destroy(void *p)
{
    panels_plan *plan = (panels_plan *)p;
    if (plan == NULL) return;
    merge_plan_destroy(plan->all);
    merge_plan_destroy(plan->rest);
    spmv__gpu_free(plan->row);
    spmv__gpu_free(plan->first_piece);
    spmv__gpu_free(plan->first_sum);
    spmv__gpu_free(plan->piece);
    spmv__gpu_free(plan->first_of_block);
    spmv__gpu_free(plan->sums);
    free(plan);
}
