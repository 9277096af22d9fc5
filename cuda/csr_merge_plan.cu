/* csr_merge_plan.cu -- where csr-merge cuts its path into tiles, and which rows cross the cuts.
 *
 * The cuts are found on the GPU, one binary search each.  A cut that would fall into a short row
 * moves back to its start, so that only long rows cross cuts; a tile has room for that.  The list
 * of long rows is made here from the cuts: both are small beside the matrix. */
#include "csr_merge.cuh"

#include <cstdlib>

using namespace spmv;

namespace
{

/* A tile of `room` items is filled up to 7/8; rows of at most the rest are never cut. */
constexpr int SLACK = 8;

template <class I>
__global__ void find_cuts(int64_t cuts, int tile, int short_row, int64_t rows, int64_t nnz,
                          const I *__restrict__ row_ptr, merge_cut *__restrict__ out)
{
    const int64_t b = global_thread();
    if (b >= cuts) return;
    const int64_t d = b * tile < rows + nnz ? b * tile : rows + nnz;
    const int64_t row =
        merge_search<int64_t>(d, rows, nnz, [=](int64_t r) { return (int64_t)row_ptr[r + 1]; });
    int64_t p = d - row;
    bool open = row < rows && row_ptr[row] < p;
    if (open && row_ptr[row + 1] - row_ptr[row] <= short_row) {
        p = row_ptr[row];
        open = false;
    }
    out[b] = {row, p, open};
}

/* Rows that are open at a cut, in order; returns how many, and stores them when `out` is given. */
int64_t list_long_rows(const merge_cut *cuts, int64_t tiles, merge_long_row *out)
{
    int64_t n = 0;
    for (int64_t b = 1; b < tiles; b++) {
        if (!cuts[b].open) continue;
        const bool again = cuts[b - 1].open && cuts[b - 1].row == cuts[b].row;
        n += again ? 0 : 1;
        if (out == NULL) continue;
        if (!again) out[n - 1] = {cuts[b].row, b - 1, b};
        out[n - 1].last = b;
    }
    return n;
}

template <class T>
spmv_status device_array(T **out, int64_t n, const char *what, spmv_error *err)
{
    return spmv__gpu_alloc((void **)out, n * (int64_t)sizeof(T), what, err);
}

spmv_status make_long_rows(merge_plan *plan, spmv__gpu *gpu, spmv_error *err)
{
    const int64_t cuts_bytes = (plan->tiles + 1) * (int64_t)sizeof(merge_cut);
    spmv_status st = SPMV_SUCCESS;
    merge_cut *cuts = NULL;
    merge_long_row *rows = NULL;

    SPMV__TRY(spmv__alloc(&cuts, plan->tiles + 1, sizeof *cuts, "the cuts", err));
    SPMV__TRY(spmv__gpu_download(gpu, cuts, plan->cuts, cuts_bytes, err));
    plan->long_rows = list_long_rows(cuts, plan->tiles, NULL);
    SPMV__TRY(spmv__alloc(&rows, plan->long_rows, sizeof *rows, "the long rows", err));
    list_long_rows(cuts, plan->tiles, rows);
    SPMV__TRY(device_array(&plan->long_row, plan->long_rows, "the long rows", err));
    SPMV__TRY(
        spmv__gpu_upload(gpu, plan->long_row, rows, plan->long_rows * (int64_t)sizeof *rows, err));
done:
    free(cuts);
    free(rows);
    return st;
}

} // namespace

spmv_status spmv::merge_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                                    const spmv_config *config, spmv_error *err)
{
    const spmv_csr *csr = &A->shape.csr;
    const cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const int room = config->block_size * MERGE_ITEMS, short_row = room / SLACK;
    const int tile = room - short_row;
    spmv_status st = SPMV_SUCCESS;
    merge_plan *plan = NULL;

    SPMV__TRY(spmv__alloc(&plan, 1, sizeof *plan, "the plan of csr-merge", err));
    plan->tiles = (csr->rows + csr->nnz + tile - 1) / tile;
    SPMV__TRY(device_array(&plan->cuts, plan->tiles + 1, "the cuts", err));
    SPMV__TRY(device_array((c128 **)&plan->head, plan->tiles, "partial sums", err));
    SPMV__TRY(device_array((c128 **)&plan->tail, plan->tiles, "partial sums", err));
    by_index(A, [&](auto i) {
        using I = decltype(i);
        start(find_cuts<I>, blocks_for(plan->tiles + 1, 256), 256, 0, stream, plan->tiles + 1, tile,
              short_row, csr->rows, csr->nnz, (const I *)csr->row_ptr, plan->cuts);
    });
    SPMV__TRY(check_launch("finding the cuts of csr-merge", err));
    SPMV__TRY(make_long_rows(plan, gpu, err));
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
    spmv__gpu_free(plan->cuts);
    spmv__gpu_free(plan->long_row);
    spmv__gpu_free(plan->head);
    spmv__gpu_free(plan->tail);
    free(plan);
}
