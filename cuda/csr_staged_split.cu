/* csr_staged_split.cu -- rows of csr-staged, cut where panels of x end.
 *
 * A matrix whose rows have many entries in every panel is planned for as if each of its parts, a
 * row within a panel, were a row: first those of all rows in panel 0.  Blocks then want columns of
 * few panels, and of these so many that they take them from x themselves: nothing is gathered
 * before.  The sums of the parts of each row are added up afterwards. */
#include "csr_staged.cuh"

using namespace spmv;

namespace
{

constexpr char SPLIT[] = "rows cut at panels";
constexpr int BLOCK = 256;
constexpr int LEAST = 16; /* entries of a part, in the mean */

/* On the device; all of CSR but the values is narrow. */
struct rows {
    int64_t rows, panels;
    int panel;
    const int32_t *row_ptr, *col_idx;
};

/* The first entry of row r from panel p on. */
__device__ inline int32_t first_from(const rows &A, int64_t r, int64_t p)
{
    const int32_t begin = A.row_ptr[r];
    return begin + (int32_t)first_not(A.row_ptr[r + 1] - begin, [&](int64_t k) {
               return A.col_idx[begin + k] < p * A.panel;
           });
}

__global__ void count_parts(rows A, int32_t *count)
{
    const int64_t i = global_thread(), r = i % A.rows, p = i / A.rows;
    if (i > A.rows * A.panels) return;
    count[i] = p < A.panels ? first_from(A, r, p + 1) - first_from(A, r, p) : 0;
}

/* One warp for each part; V has the size of a value. */
template <class V>
__global__ void copy_parts(rows A, const V *__restrict__ val, const int32_t *__restrict__ part_ptr,
                           int32_t *__restrict__ col, V *__restrict__ part_val)
{
    const int64_t i = global_thread() / WARP;
    if (i >= A.rows * A.panels) return;
    const int32_t from = first_from(A, i % A.rows, i / A.rows), to = part_ptr[i];
    for (int32_t k = lane_id(); k < part_ptr[i + 1] - to; k += WARP) {
        col[to + k] = A.col_idx[from + k];
        if (val != nullptr) part_val[to + k] = val[from + k];
    }
}

} // namespace

bool spmv::staged_splits(const staged_plan *plan, const spmv_csr *A)
{
    const int64_t parts = A->rows * plan->panels;
    return plan->panels > 1 && A->nnz / LEAST >= parts && parts + A->nnz <= SPMV__NARROW_LIMIT;
}

spmv_status spmv::staged_split(spmv_csr *parts, staged_plan *plan, spmv__gpu *gpu,
                               const spmv_csr *A, spmv_error *err)
{
    cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const rows from = {A->rows, plan->panels, plan->panel, (const int32_t *)A->row_ptr, A->col_idx};
    const int64_t n = A->rows * plan->panels;
    int32_t *part_ptr = NULL, nnz = 0;
    spmv_status st;

    *parts = *A;
    parts->rows = n;
    parts->row_ptr = NULL;
    parts->col_idx = NULL;
    parts->val = NULL;
    SPMV__TRY(device_array(&part_ptr, n + 1, SPLIT, err));
    parts->row_ptr = (int64_t *)part_ptr;
    SPMV__TRY(device_array(&parts->col_idx, A->nnz, SPLIT, err));
    if (A->val != NULL)
        SPMV__TRY(device_array((char **)&parts->val, A->nnz * (int64_t)spmv_type_size(A->type),
                               SPLIT, err));
    SPMV__TRY(device_array((c128 **)&plan->part_sum, n, SPLIT, err));
    start(count_parts, blocks_for(n + 1, BLOCK), BLOCK, 0, stream, from, part_ptr);
    SPMV__TRY(add_up(part_ptr, n, gpu, &nnz, err));
    by_size(A->type, [&](auto value) {
        using V = decltype(value);
        start(copy_parts<V>, blocks_for(n * WARP, BLOCK), BLOCK, 0, stream, from, (const V *)A->val,
              (const int32_t *)part_ptr, parts->col_idx, (V *)parts->val);
    });
    st = check_launch(SPLIT, err);
done:
    return st;
}
