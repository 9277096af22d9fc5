/* groups_plan.cu -- which columns the rows of each group share.
 *
 * One thread merges the rows of a group: it takes the least column at which any of them stands, in
 * all of them at once.  So it goes once to count the slots, and once more to store them.  Rows
 * whose columns are not sorted, or come twice, lose nothing: they only share less. */
#include "cuda/kernels/csr_groups/csr_groups.cuh"
#include "cuda/kernels/csr_merge/spmm_window.cuh"
#include "cuda/device/plan.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr int BLOCK = 64;
constexpr int LONGEST_PIECE = 512;
constexpr const char *PLAN = "the plan of csr-groups";
constexpr int64_t NONE = INT64_MAX; /* above all slots */
PLAN_LIMIT(LONGEST, 1 << 14); /* entries of a row: one thread merges it, while all others wait */

/* Groups pay where so many slots hold so many entries: 2.5 of the 4 places of each. */
constexpr int64_t ENTRIES = 5, SLOTS = 2;

/* The rows of one group, and where the merge stands in each. */
struct merged_rows {
    int32_t p[GROUP], end[GROUP];
};

__device__ inline merged_rows rows_of(int64_t g, int64_t rows, const int32_t *row_ptr)
{
    merged_rows m;
#pragma unroll
    for (int i = 0; i < GROUP; i++) {
        const int64_t r = g * GROUP + i;
        m.p[i] = r < rows ? row_ptr[r] : 0;
        m.end[i] = r < rows ? row_ptr[r + 1] : 0;
    }
    return m;
}

/* Returns the next slot, with the bits of the rows that have it; NONE behind the last one. */
__device__ inline int64_t next_slot(const merged_rows &m, const int32_t *col_idx)
{
    int64_t least = NONE, bits = 0, col[GROUP];
#pragma unroll
    for (int i = 0; i < GROUP; i++) {
        col[i] = m.p[i] < m.end[i] ? col_idx[m.p[i]] : NONE;
        least = min(least, col[i]);
    }
#pragma unroll
    for (int i = 0; i < GROUP; i++)
        if (m.p[i] < m.end[i] && col[i] == least) bits |= (int64_t)1 << (SPMM_COLUMN_BITS + i);
    return least | bits;
}

__device__ inline bool has_row(int64_t slot, int i)
{
    return (slot >> (SPMM_COLUMN_BITS + i) & 1) != 0;
}

/* Count the slots of each group, or say that some row is too long. */
__global__ void count_slots(int64_t groups, int64_t rows, const int32_t *__restrict__ row_ptr,
                            const int32_t *__restrict__ col_idx, int32_t *count, int *too_long)
{
    const int64_t g = global_thread();
    if (g >= groups) return;
    merged_rows m = rows_of(g, rows, row_ptr);
    int slots = 0;
    for (int i = 0; i < GROUP; i++)
        if (m.end[i] - m.p[i] > LONGEST) *too_long = 1;
    if (*too_long != 0) return;
    for (int64_t slot; (slot = next_slot(m, col_idx)) != NONE; slots++)
#pragma unroll
        for (int i = 0; i < GROUP; i++) m.p[i] += has_row(slot, i);
    count[g] = slots;
}

/* Stores the slots; val may be that of a pattern. */
template <class V>
__global__ void store_slots(int64_t groups, int64_t rows, const int32_t *__restrict__ row_ptr,
                            const int32_t *__restrict__ col_idx, const V *__restrict__ val,
                            const int32_t *__restrict__ first, int32_t *slot_col, V *slot_val)
{
    const int64_t g = global_thread();
    if (g >= groups) return;
    merged_rows m = rows_of(g, rows, row_ptr);
    int64_t slot;
    for (int64_t s = first[g]; (slot = next_slot(m, col_idx)) != NONE; s++) {
        slot_col[s] = (int32_t)slot;
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            if (val != nullptr) slot_val[s * GROUP + i] = has_row(slot, i) ? val[m.p[i]] : V{};
            m.p[i] += has_row(slot, i);
        }
    }
}

/* Counts the slots of all groups; to->nnz stays 0 when no groups are to be made. */
spmv_status count_all(spmv_csr *to, spmv__gpu *gpu, arena *room, const spmv_csr *A, spmv_error *err)
{
    int32_t *first = NULL, slots = 0;
    int *too_long = NULL, refused = 0;
    spmv_status st;

    SPMV__TRY(device_array(&first, to->rows + 1, PLAN, err));
    to->row_ptr = (int64_t *)first;
    SPMV__TRY(arena_take(room, &too_long, 1, PLAN, err));
    SPMV__TRY(spmv__gpu_clear(gpu, too_long, sizeof *too_long, err));
    launch_kernel(count_slots, blocks_for(to->rows, BLOCK), BLOCK, 0, spmv__gpu_stream(gpu),
                  to->rows, A->rows, (const int32_t *)A->row_ptr, A->col_idx, first, too_long);
    SPMV__TRY(check_launch(PLAN, err));
    SPMV__TRY(spmv__gpu_download(gpu, &refused, too_long, sizeof refused, err));
    if (refused != 0) goto done;
    SPMV__TRY(exclusive_sum(first, to->rows, gpu, room, &slots, err));
    if (A->nnz * SLOTS >= slots * ENTRIES) to->nnz = slots;
done:
    return st;
}

spmv_status store_all(spmv_csr *to, spmv__gpu *gpu, const spmv_csr *A, spmv_error *err)
{
    const size_t size = spmv_type_size(A->type);
    char *val = NULL;
    spmv_status st;

    SPMV__TRY(device_array(&to->col_idx, to->nnz, PLAN, err));
    if (size > 0) SPMV__TRY(device_array(&val, to->nnz * GROUP * (int64_t)size, PLAN, err));
    to->val = val;
    by_size((int64_t)size, [&](auto v) {
        using V = decltype(v);
        launch_kernel(store_slots<V>, blocks_for(to->rows, BLOCK), BLOCK, 0, spmv__gpu_stream(gpu),
                      to->rows, A->rows, (const int32_t *)A->row_ptr, A->col_idx, (const V *)A->val,
                      (const int32_t *)to->row_ptr, to->col_idx, (V *)val);
    });
    st = check_launch(PLAN, err);
done:
    return st;
}

/* Makes groups, unless they do not pay. */
spmv_status make_groups(groups_plan *plan, spmv__gpu *gpu, const spmv_gpu_matrix *M,
                        spmv_error *err)
{
    const spmv_csr *A = &M->shape.csr;
    spmv_gpu_matrix groups = *M;
    arena room = {};
    spmv_status st = SPMV_SUCCESS;

    if (!M->narrow || A->cols > (int64_t)1 << SPMM_COLUMN_BITS || A->nnz == 0) return st;
    plan->slots.type = A->type;
    plan->slots.rows = (A->rows + GROUP - 1) / GROUP;
    plan->slots.cols = A->cols;
    SPMV__TRY(count_all(&plan->slots, gpu, &room, A, err));
    if (plan->slots.nnz == 0) goto done;
    SPMV__TRY(store_all(&plan->slots, gpu, A, err));
    groups.shape.csr = plan->slots;
    SPMV__TRY(merge_plan_create(&plan->groups, gpu, &groups, merge_piece_for(groups.shape.csr.nnz),
                                INT64_MAX, err));
done:
    arena_release(&room);
    return st;
}

/* Pieces of rows are shorter than for a single vector, each of whose products takes less time. */
int piece_for(int64_t nnz)
{
    const int piece = merge_piece_for(nnz);
    return piece < LONGEST_PIECE ? piece : LONGEST_PIECE;
}

} // namespace

spmv_status spmv::groups_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                                     const spmv_kernel_options *, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    groups_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, PLAN, err));
    SPMV__TRY(merge_plan_create(&plan->rows, gpu, A, piece_for(A->shape.csr.nnz), INT64_MAX, err));
    SPMV__TRY(make_groups(plan, gpu, A, err));
    *out = plan;
    plan = NULL;
done:
    groups_plan_destroy(plan);
    return st;
}

void spmv::groups_plan_destroy(void *p)
{
    groups_plan *plan = (groups_plan *)p;
    if (plan == NULL) return;
    merge_plan_destroy(plan->rows);
    merge_plan_destroy(plan->groups);
    spmv__gpu_free(plan->slots.row_ptr);
    spmv__gpu_free(plan->slots.col_idx);
    spmv__gpu_free(plan->slots.val);
    free(plan);
}
