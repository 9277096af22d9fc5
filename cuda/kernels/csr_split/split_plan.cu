/* split_plan.cu -- the plan of csr-split: which rows are long, and the others as CSELL. */
#include "cuda/kernels/csr_split/csr_split.cuh"
#include "cuda/kernels/csell/csell_rows.cuh"
#include "cuda/kernels/csell_build/csell_build.h"
#include "core/multiply/long_rows.h"

#include <cstdlib>

using namespace spmv;

extern "C" const spmv__gpu_kernel spmv__csell_kernel;

namespace
{

constexpr char PLAN[] = "the plan of csr-split";
constexpr int BLOCK = 256;
PLAN_LIMIT(LONG_ROW, SPMV__ROW_APART);
PLAN_LIMIT(PIECE, 1 << 13);
constexpr int MOST_PADDING = 2; /* slots for each entry */

/* What is found out of the rows. */
struct split_rows {
    int64_t rows, longest; /* entries of a short row, at most */
    int piece;             /* entries of a piece of a long one */
    const int32_t *row_ptr;
    int32_t *short_end; /* [rows], where short rows end; long ones where they begin */
    int32_t *lengths;   /* [rows + 1], of short rows; then those before */
    int32_t *pieces;    /* [rows + 1], of long rows; then those before */
    int32_t *number;    /* [rows + 1], 1 for a long row; then those before */
};

__global__ void measure_rows(split_rows of)
{
    const int64_t r = global_thread();
    if (r >= of.rows) return;
    const int32_t begin = of.row_ptr[r], end = of.row_ptr[r + 1];
    const int64_t n = end - begin;
    const bool is_long = n > of.longest;
    of.short_end[r] = is_long ? begin : end;
    of.lengths[r] = is_long ? 0 : (int32_t)n;
    of.pieces[r] = is_long ? (int32_t)((n + of.piece - 1) / of.piece) : 0;
    of.number[r] = is_long;
}

__global__ void list_long_rows(split_rows of, merge_long_row *to)
{
    const int64_t r = global_thread();
    if (r >= of.rows || of.number[r] == of.number[r + 1]) return;
    to[of.number[r]] = {r, of.pieces[r], of.pieces[r + 1] - 1, of.pieces[r], 0};
}

/* Lists the long rows of A, says where the short ones end, in arrays of `room`, and how many
 * entries these have. */
spmv_status split(split_plan *plan, split_rows *of, int32_t *short_entries,
                  const spmv_gpu_matrix *A, spmv__gpu *gpu, arena *room, spmv_error *err)
{
    const spmv_csr *csr = &A->shape.csr;
    cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t rows = csr->rows;
    int32_t pieces = 0, long_rows = 0;
    spmv_status st;

    *of = {};
    of->rows = rows;
    of->piece = plan->piece;
    of->longest = max((int64_t)LONG_ROW, SPMV__TIMES_APART * (csr->nnz / rows));
    of->row_ptr = (const int32_t *)csr->row_ptr;
    SPMV__TRY(arena_take(room, &of->short_end, rows, PLAN, err));
    SPMV__TRY(arena_take(room, &of->lengths, rows + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &of->pieces, rows + 1, PLAN, err));
    SPMV__TRY(arena_take(room, &of->number, rows + 1, PLAN, err));
    launch_kernel(measure_rows, blocks_for(rows, BLOCK), BLOCK, 0, stream, *of);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(exclusive_sum(of->lengths, rows, gpu, room, short_entries, err));
    SPMV__TRY(exclusive_sum(of->pieces, rows, gpu, room, &pieces, err));
    SPMV__TRY(exclusive_sum(of->number, rows, gpu, room, &long_rows, err));
    plan->pieces = pieces;
    plan->long_rows = long_rows;
    if (long_rows == 0) goto done;
    SPMV__TRY(arena_take(plan->kept, &plan->row, long_rows, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (c128 **)&plan->sums, pieces, PLAN, err));
    SPMV__TRY(arena_take(plan->kept, (c128 **)&plan->before, long_rows, PLAN, err));
    launch_kernel(list_long_rows, blocks_for(rows, BLOCK), BLOCK, 0, stream, *of, plan->row);
    st = check_launch(PLAN, err);
done:
    return st;
}

/* Takes an array of the rest, with zeros behind it. */
template <class T>
spmv_status take(split_plan *plan, T **out, int64_t bytes, spmv__gpu *gpu, spmv_error *err)
{
    char *p = NULL;
    spmv_status st;
    SPMV__TRY(arena_take(plan->kept, &p, bytes + SPMV__ROOM_BEHIND, PLAN, err));
    st = spmv__gpu_clear(gpu, p + bytes, SPMV__ROOM_BEHIND, err);
    *out = (T *)p;
done:
    return st;
}

spmv_status take_rest(split_plan *plan, spmv__gpu *gpu, spmv_error *err)
{
    spmv_csell *B = &plan->rest->shape.csell;
    const int64_t n = csell_slices(B), number = sizeof(int32_t);
    const int64_t offsets = (n + 1) * number;
    const int64_t values = B->slots * (int64_t)spmv_type_size(B->type);
    spmv_status st;

    arena_expect(plan->kept, 6,
                 (B->rows + n + B->words) * number + 2 * offsets + values + 6 * SPMV__ROOM_BEHIND);
    SPMV__TRY(take(plan, &B->perm, B->window > 1 ? B->rows * number : 0, gpu, err));
    SPMV__TRY(take(plan, &B->encoding, n * number, gpu, err));
    SPMV__TRY(take(plan, &B->code_ptr, offsets, gpu, err));
    SPMV__TRY(take(plan, &B->code, B->words * number, gpu, err));
    SPMV__TRY(take(plan, &B->slice_ptr, offsets, gpu, err));
    if (values > 0) st = take(plan, &B->val, values, gpu, err);
done:
    return st;
}

/* Makes plan->rest of the short rows of A, which have so many entries, or leaves it where its
 * slices would be mostly padding. */
spmv_status make_rest(split_plan *plan, const spmv_gpu_matrix *A, const split_rows *of,
                      int64_t entries, spmv__gpu *gpu, spmv_error *err)
{
    spmv_gpu_matrix shorter = *A;
    spmv__csell_build *chosen = NULL;
    spmv_csell shape = {};
    spmv_status st;

    shorter.shape.csr.nnz = entries;
    SPMV__TRY(spmv__csell_build_choose(&chosen, gpu, &shorter, of->short_end, &shape, err));
    if (shape.slots > MOST_PADDING * entries || shape.slots > SPMV__NARROW_LIMIT ||
        shape.words > SPMV__NARROW_LIMIT)
        goto done;
    SPMV__TRY(spmv__alloc(&plan->rest, 1, sizeof *plan->rest, PLAN, err));
    *plan->rest = *A;
    shape.type = A->shape.csr.type;
    shape.rows = A->shape.csr.rows;
    shape.cols = A->shape.csr.cols;
    shape.nnz = entries;
    plan->rest->shape.format = SPMV_CSELL;
    plan->rest->shape.csell = shape;
    SPMV__TRY(take_rest(plan, gpu, err));
    SPMV__TRY(spmv__csell_build_fill(chosen, plan->rest, err));
    st = spmv__csell_kernel.plan(&plan->rest_plan, gpu, plan->rest, NULL, err);
done:
    spmv__csell_build_destroy(chosen);
    return st;
}

} // namespace

spmv_status spmv::split_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *M,
                                    const spmv_kernel_options *, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    split_plan *plan = NULL;
    split_rows of = {};
    int32_t entries = 0;
    arena room = {};

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    SPMV__TRY(spmv__alloc(&plan->kept, 1, sizeof *plan->kept, PLAN, err));
    plan->piece = PIECE;
    if (M->narrow && M->shape.csr.nnz > 0) {
        SPMV__TRY(split(plan, &of, &entries, M, gpu, &room, err));
        SPMV__TRY(make_rest(plan, M, &of, entries, gpu, err));
    }
    if (plan->rest == NULL)
        SPMV__TRY(merge_plan_create(&plan->merge, gpu, M, merge_piece_for(M->shape.csr.nnz),
                                    INT64_MAX, err));
    *out = plan;
    plan = NULL;
done:
    split_plan_destroy(plan);
    arena_release(&room);
    return st;
}

void spmv::split_plan_destroy(void *p)
{
    split_plan *plan = (split_plan *)p;
    if (plan == NULL) return;
    merge_plan_destroy(plan->merge);
    spmv__csell_kernel.free(plan->rest_plan);
    free(plan->rest);
    if (plan->kept != NULL) arena_release(plan->kept);
    free(plan->kept);
    free(plan);
}
