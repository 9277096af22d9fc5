/* hyb_rows.cu -- HYB: the ELL part and the overflow in COO, summed together.
 *
 * Idea     the overflow of each row, sorted as it is, is cut into pieces of at most PIECE entries.
 *          A group of lanes sums each piece into a workspace.  Then one thread per row walks the
 *          ELL part; a row that fills it may have overflow, is looked up in the sorted list of
 *          those that do, and adds its pieces in order.  So y is rounded once
 * Good at  rows of similar length with a few longer ones
 * Bad at   rows so long that one thread adds thousands of pieces
 * Traffic  per ELL slot: value + 4 bytes of column; per overflow entry: value + 4 bytes of column;
 *          per nonzero: x; per row: y
 * Result   deterministic
 * Source   Bell and Garland, SC 2009 (the format) */
#include "cuda/device/plan.cuh"
#include "cuda/kernels/ell_row.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int LANES = 8;           /* that sum one piece */
constexpr int PIECE = LANES * 128; /* entries */

/* A row with overflow and its first piece; the pieces end where those of the next row begin. */
struct overflow_row {
    int64_t row, piece;
};

struct hyb_plan {
    int64_t rows, pieces;
    overflow_row *row;  /* [rows + 1] on the device */
    int64_t *piece_ptr; /* [pieces + 1] on the device, into the COO part */
    void *sums;         /* [pieces] on the device, with room for complex sums */
};

/* Count rows and pieces of the overflow; store them when `rows` is given. */
template <class I>
void divide(const I *row_idx, int64_t nnz, hyb_plan *plan, overflow_row *rows, int64_t *piece_ptr)
{
    plan->rows = plan->pieces = 0;
    for (int64_t begin = 0, end; begin < nnz; begin = end) {
        for (end = begin; end < nnz && row_idx[end] == row_idx[begin];) end++;
        if (rows != NULL) rows[plan->rows] = {(int64_t)row_idx[begin], plan->pieces};
        plan->rows++;
        for (int64_t p = begin; p < end; p += PIECE) {
            if (rows != NULL) piece_ptr[plan->pieces] = p;
            plan->pieces++;
        }
    }
    if (rows == NULL) return;
    rows[plan->rows] = {INT64_MAX, plan->pieces};
    piece_ptr[plan->pieces] = nnz;
}

template <class T>
spmv_status to_device(T **out, spmv__gpu *gpu, const T *from, int64_t n, spmv_error *err)
{
    const int64_t bytes = n * (int64_t)sizeof(T);
    spmv_status st = spmv__gpu_alloc((void **)out, bytes, "the plan of hyb", err);
    return st == SPMV_SUCCESS ? spmv__gpu_upload(gpu, *out, from, bytes, err) : st;
}

template <class I>
spmv_status make(hyb_plan *plan, spmv__gpu *gpu, const spmv_coo *A, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    I *row_idx = NULL;
    overflow_row *rows = NULL;
    int64_t *piece_ptr = NULL;

    SPMV__TRY(spmv__alloc(&row_idx, A->nnz, sizeof *row_idx, "the overflow rows", err));
    SPMV__TRY(spmv__gpu_download(gpu, row_idx, A->row_idx, A->nnz * (int64_t)sizeof(I), err));
    divide(row_idx, A->nnz, plan, (overflow_row *)NULL, (int64_t *)NULL);
    SPMV__TRY(spmv__alloc(&rows, plan->rows + 1, sizeof *rows, "the overflow rows", err));
    SPMV__TRY(spmv__alloc(&piece_ptr, plan->pieces + 1, sizeof *piece_ptr, "the pieces", err));
    divide(row_idx, A->nnz, plan, rows, piece_ptr);
    SPMV__TRY(to_device(&plan->row, gpu, rows, plan->rows + 1, err));
    SPMV__TRY(to_device(&plan->piece_ptr, gpu, piece_ptr, plan->pieces + 1, err));
    SPMV__TRY(spmv__gpu_alloc(&plan->sums, plan->pieces * (int64_t)sizeof(c128),
                              "the sums of the pieces", err));
done:
    free(row_idx);
    free(rows);
    free(piece_ptr);
    return st;
}

void destroy(void *p)
{
    hyb_plan *plan = (hyb_plan *)p;
    if (plan == NULL) return;
    spmv__gpu_free(plan->row);
    spmv__gpu_free(plan->piece_ptr);
    spmv__gpu_free(plan->sums);
    free(plan);
}

spmv_status plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A, const spmv_kernel_options *,
                 spmv_error *err)
{
    const spmv_coo *coo = &A->shape.hyb.coo;
    spmv_status st = SPMV_SUCCESS;
    hyb_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, "the plan of hyb", err));
    by_index(A, [&](auto i) { st = make<decltype(i)>(plan, gpu, coo, err); });
    if (st == SPMV_SUCCESS) {
        *out = plan;
        plan = NULL;
    }
done:
    destroy(plan);
    return st;
}

template <class K, class I>
__global__ void sum_pieces(int64_t pieces, const int64_t *__restrict__ piece_ptr,
                           const I *__restrict__ col_idx, const typename K::V *__restrict__ val,
                           const typename K::T *x, typename K::S *__restrict__ sums)
{
    const int lane = (int)(threadIdx.x % LANES);
    const int64_t i = global_thread() / LANES;
    const int64_t end = i < pieces ? piece_ptr[i + 1] : 0;
    typename K::S sum = {};
#pragma unroll 4
    for (int64_t p = i < pieces ? piece_ptr[i] + lane : 0; p < end; p += LANES)
        sum += widen(load_streaming(val + p)) * load_x<K>(x, load_streaming(col_idx + p));
    sum = sum_lanes(sum, LANES);
    if (lane == 0 && i < pieces) sums[i] = sum;
}

/* Returns the sum of the overflow of row r, 0 if it has none. */
template <class S>
__device__ inline S overflow_sum(int64_t r, int64_t rows, const overflow_row *row, const S *sums)
{
    const int64_t low = partition_point(rows, [&](int64_t i) { return row[i].row < r; });
    S sum = {}; /* row[rows] ends the list with a row beyond all */
    if (row[low].row == r)
        for (int64_t p = row[low].piece; p < row[low + 1].piece; p++) sum += sums[p];
    return sum;
}

template <class K>
__global__ void hyb(int64_t rows, int64_t width, const int32_t *__restrict__ col_idx,
                    const typename K::V *__restrict__ val, hyb_plan plan, typename K::S alpha,
                    const typename K::T *x, typename K::S beta, typename K::T *__restrict__ y)
{
    const int64_t r = global_thread();
    if (r >= rows) return;
    typename K::S sum = ell_row_sum<K>(rows, width, r, col_idx, val, x);
    if (width == 0 || col_idx[(width - 1) * rows + r] >= 0)
        sum += overflow_sum(r, plan.rows, plan.row, (const typename K::S *)plan.sums);
    finish(y, r, alpha, sum, beta);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_hyb *A = &run->A->shape.hyb;
    const hyb_plan *plan = (const hyb_plan *)run->plan;
    const cudaStream_t stream = run->stream;
    const int block = run->options->block_size;
    by_types(run, [&](auto k) {
        using K = decltype(k);
        using V = typename K::V;
        using T = typename K::T;
        by_index(run->A, [&](auto i) {
            using I = decltype(i);
            if (plan->pieces > 0)
                launch_kernel(sum_pieces<K, I>, blocks_for(plan->pieces * LANES, block), block, 0,
                              stream, plan->pieces, plan->piece_ptr, (const I *)A->coo.col_idx,
                              (const V *)A->coo.val, (const T *)run->x,
                              (typename K::S *)plan->sums);
        });
        launch_kernel(hyb<K>, blocks_for(A->rows, block), block, 0, stream, A->rows, A->ell.width,
                      A->ell.col_idx, (const V *)A->ell.val, *plan, factor<K>(run->alpha),
                      (const T *)run->x, factor<K>(run->beta), (T *)run->y);
    });
    return check_launch("hyb", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__hyb_kernel = {plan,  destroy, launch, BLOCK,
                                                      BLOCK, NULL,    NULL,   false};
