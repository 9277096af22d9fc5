/* staged_plan.cu -- how csr-staged cuts a matrix into small blocks, and makes its plan of them.
 */
#include "cuda/kernels/csr_staged/csr_staged.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr char PLAN[] = "the plan of csr-staged";
constexpr int BLOCK = 256;
constexpr int ROUNDS = 2;     /* of blocks on all multiprocessors, at least */
PLAN_LIMIT(LEAST, 8192);      /* entries of a block, unless there are too many columns */
PLAN_LIMIT(MOST_ROWS, 49152); /* of a block: those without entries take their time too */
constexpr int PORTIONS = 8;   /* that a block is joined of, about */

/* piece_row and piece_tile, from the tiles. */
__global__ void find_pieces(staged_plan plan)
{
    const int64_t t = global_thread();
    if (t >= plan.tiles) return;
    const int32_t row = plan.tile[t].row;
    if (row >= 0) return;
    const merge_long_row &mine = plan.long_row[~row];
    const int64_t i = mine.piece + t - mine.first;
    plan.piece_row[i] = ~row;
    plan.piece_tile[i] = (int32_t)t;
}

/* A small block begins with the first tile from a multiple of `entries` on. */
__global__ void cut_blocks(staged_plan plan)
{
    const int64_t b = global_thread();
    if (b > plan.blocks) return;
    const int64_t from = b * plan.entries;
    const int64_t t = b == plan.blocks ? plan.tiles : partition_point(plan.tiles, [&](int64_t k) {
        return plan.tile[k].p < from;
    });
    const merge_tile<int32_t> first = plan.tile[t];
    staged_block mine = {};
    mine.entry = first.p;
    mine.row = first.row < 0 ? plan.long_row[~first.row].row : first.row;
    mine.piece = partition_point(plan.pieces, [&](int64_t k) { return plan.piece_tile[k] < t; });
    plan.block[b] = mine;
}

/* Chooses how large blocks and panels are; plan->x_size stays 0 when there is nothing to win:
 * without entries, or with so many panels that their last groups fill the slots. */
spmv_status choose_sizes(staged_plan *plan, const spmv_gpu_matrix *M, int x_size, spmv_error *err)
{
    const spmv_csr *A = &M->shape.csr;
    int shared = 0, multiprocessors = 0;
    int64_t most;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err));
    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &multiprocessors, err));
    plan->panel = min(shared / x_size, UINT16_MAX + 1);
    plan->panels = (A->cols + plan->panel - 1) / plan->panel;
    plan->slots = min(shared / x_size - 1, UINT16_MAX) / GROUP * GROUP;
    most = plan->slots - STAGED_PIECE - (GROUP - 1) * plan->panels;
    if (!M->narrow || A->rows + A->nnz > INT32_MAX || A->nnz == 0 || most < plan->slots / 2)
        goto done;
    plan->at_once = multiprocessors;
    plan->least_blocks = max(A->rows / MOST_ROWS, (int64_t)ROUNDS * multiprocessors);
    plan->least_blocks = max(min(A->nnz / LEAST, plan->least_blocks), (int64_t)1);
    plan->entries = (int)(min(A->nnz / plan->least_blocks, most) / PORTIONS) + 1;
    plan->blocks = (A->nnz + plan->entries - 1) / plan->entries;
    plan->x_size = x_size;
done:
    return st;
}

/* Makes the small blocks from the tiles of csr-merge. */
spmv_status cut(staged_plan *plan, spmv__gpu *gpu, int64_t rows, spmv_error *err)
{
    cudaStream_t stream = spmv__gpu_stream(gpu);
    spmv_status st;

    plan->tile = (const merge_tile<int32_t> *)plan->merge->tile;
    plan->long_row = plan->merge->long_row;
    plan->tiles = plan->merge->tiles;
    plan->pieces = plan->merge->pieces;
    arena_expect(plan->kept, 5,
                 (plan->blocks + 1) * (int64_t)sizeof *plan->block +
                     plan->pieces * (int64_t)(sizeof(c128) + 2 * sizeof(int32_t)) +
                     (rows / WARP + 1) * (int64_t)sizeof *plan->empty_row);
    SPMV__TRY(arena_take(plan->kept, &plan->block, plan->blocks + 1, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (c128 **)&plan->sums, plan->pieces, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->piece_row, plan->pieces, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->piece_tile, plan->pieces, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, &plan->empty_row, rows / WARP + 1, PLAN, err));
    launch_kernel(find_pieces, blocks_for(plan->tiles, BLOCK), BLOCK, 0, stream, *plan);
    launch_kernel(cut_blocks, blocks_for(plan->blocks + 1, BLOCK), BLOCK, 0, stream, *plan);
    st = check_launch(PLAN, err);
done:
    return st;
}

/* Join small blocks and list their columns; into more blocks when they do not fit.  At first
 * nothing has been taken of `room`. */
spmv_status join(staged_plan *plan, spmv__gpu *gpu, arena *room, const spmv_csr *A,
                 staged_columns *out, spmv_error *err)
{
    int32_t groups = 0;
    staged_parts parts = {};
    spmv_status st;

    SPMV__TRY(staged_parts_create(&parts, plan, gpu, room, A, err));
    arena_reuse(room);
    SPMV__TRY(arena_take(room, &out->column, A->nnz, PLAN, err));
    SPMV__TRY(arena_take(room, &out->first, parts.n * (plan->panels + 1), PLAN, err));
    SPMV__TRY(arena_take(room, &out->most, 1, PLAN, err));
    SPMV__TRY(arena_take(room, &plan->rank, A->nnz, PLAN, err));
    do {
        SPMV__TRY(staged_join(plan, gpu, &parts, err));
        SPMV__TRY(staged_columns_list(out, plan, gpu, A, &groups, err));
        plan->least_blocks = max(plan->least_blocks, plan->blocks) * 17 / 16 + 1;
    } while (groups > plan->slots / GROUP);
done:
    staged_parts_destroy(&parts);
    return st;
}

/* Plans all that is not chosen; csr-merge has cut the matrix. */
spmv_status plan_blocks(staged_plan *plan, spmv__gpu *gpu, spmv_csr A, spmv_error *err)
{
    staged_columns of = {};
    arena room = {}, numbers = {};
    spmv_status st;

    room.next = 9 * A.nnz + 20 * A.rows; /* bytes that are taken here, about */
    SPMV__TRY(staged_hubs_create(plan, gpu, &numbers, &A, err));
    plan->panels += plan->hub_numbers / plan->panel;
    SPMV__TRY(cut(plan, gpu, A.rows, err));
    SPMV__TRY(join(plan, gpu, &room, &A, &of, err));
    SPMV__TRY(arena_take(&room, &plan->slot, A.nnz, PLAN, err));
    SPMV__TRY(staged_slots_create(plan, gpu, &room, &of, err));
    SPMV__TRY(staged_slices_create(plan, gpu, &room, &A, err));
    st = spmv__gpu_synchronize(gpu, err);
done:
    arena_release(&room);
    arena_release(&numbers);
    plan->rank = plan->slot = NULL;
    return st;
}

} // namespace

spmv_status spmv::staged_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                                     const spmv_kernel_options *options, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    staged_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    SPMV__TRY(spmv__alloc(&plan->kept, 1, sizeof *plan->kept, PLAN, err));
    SPMV__TRY(merge_plan_create(&plan->merge, gpu, A, STAGED_PIECE, INT64_MAX, err));
    SPMV__TRY(choose_sizes(plan, A, planned_size(A, options), err));
    if (plan->x_size > 0) SPMV__TRY(plan_blocks(plan, gpu, A->shape.csr, err));
    *out = plan;
    plan = NULL;
done:
    staged_plan_destroy(plan);
    return st;
}

void spmv::staged_plan_destroy(void *p)
{
    staged_plan *plan = (staged_plan *)p;
    if (plan == NULL) return;
    merge_plan_destroy(plan->merge);
    if (plan->kept != NULL) arena_release(plan->kept);
    free(plan->kept);
    free(plan);
}
