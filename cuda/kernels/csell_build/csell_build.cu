/* csell_build.cu -- CSR to CSELL on the GPU.
 *
 * Two layouts are weighed, as in core/csell/csell_choice.c: large slices of rows in their own
 * order, and, where that leaves much padding, small slices of rows that are sorted by length. */
#include "cuda/kernels/csell_build/csell_build.cuh"
#include "cuda/kernels/csell_build/csell_build.h"
#include "core/csell/csell_sizes.h"

#include <cstdlib>

using namespace spmv;

/* One way to cut a matrix, and what becomes of it. */
struct sliced_layout {
    csell_known of;
    const void *row_end; /* as spmv__csell_build_choose() was given it */
    int32_t *perm;       /* NULL: rows are in their own order */
    int64_t slices, window, slots, words, cost;
    int slice;
};

namespace
{

constexpr int SORT_BLOCK = 512;
constexpr int WINDOW = SPMV__CSELL_SORTED * SPMV__CSELL_WINDOW; /* rows, a power of two */

template <class I>
csell_source<I> source(const sliced_layout *l, const spmv_csr *A)
{
    const I *const begin = (const I *)A->row_ptr;
    const I *const end = l->row_end != NULL ? (const I *)l->row_end : begin + 1;
    return {A->rows, l->slices, l->slice,   (int)spmv_type_size(A->type),
            begin,   end,       A->col_idx, l->perm};
}

/* ---- Sorted rows ----------------------------------------------------------------------------- */

/* A block sorts the rows of a window by falling length, equal lengths in their old order. */
template <class I>
__global__ void __launch_bounds__(SORT_BLOCK)
    sort_window(csell_source<I> from, int window, int32_t *perm)
{
    __shared__ uint64_t key[WINDOW];
    const int64_t first = (int64_t)blockIdx.x * window;
    const int n = (int)min(from.rows - first, (int64_t)window);
    for (int i = threadIdx.x; i < WINDOW; i += blockDim.x) {
        key[i] = UINT64_MAX;
        if (i >= n) continue;
        const int64_t length = from.row_end[first + i] - from.row_ptr[first + i];
        key[i] = (uint64_t)(INT32_MAX - length) << 32 | (unsigned)i;
    }
    for (int size = 2; size <= WINDOW; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            __syncthreads();
            for (int t = threadIdx.x; t < WINDOW / 2; t += blockDim.x) {
                const int i = 2 * t - t % apart, j = i + apart;
                const uint64_t a = key[i], b = key[j];
                if ((a > b) == ((i & size) != 0)) continue;
                key[i] = b;
                key[j] = a;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        perm[first + i] = (int32_t)(first + (int64_t)(key[i] & UINT32_MAX));
}

template <class I>
spmv_status sort_rows(sliced_layout *l, const spmv_csr *A, spmv__gpu *gpu, arena *room,
                      spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(arena_take(room, &l->perm, A->rows, CSELL_BUILD, err));
    launch_kernel(sort_window<I>, (unsigned)((A->rows + l->window - 1) / l->window), SORT_BLOCK, 0,
                  spmv__gpu_stream(gpu), source<I>(l, A), (int)l->window, l->perm);
    st = check_launch(CSELL_BUILD, err);
done:
    return st;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* Takes the arrays that say what is known of all slices, but for the scratch. */
spmv_status take_slices(csell_known *out, int64_t rows, int64_t n, arena *room, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(arena_take(room, &out->same, rows, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->run, rows, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->bounds, n, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->room, n + 1, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->encoding, n, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->slots, n + 1, CSELL_BUILD, err));
    SPMV__TRY(arena_take(room, &out->words, n + 1, CSELL_BUILD, err));
done:
    return st;
}

/* Cuts A into slices, rows sorted within windows of so many where it is more than 1, and chooses
 * their forms; `unsorted` is the layout of rows in their own order. */
template <class I>
spmv_status lay_out(sliced_layout *l, const spmv_csr *A, const void *row_end, int slice,
                    int64_t window, const sliced_layout *unsorted, spmv__gpu *gpu, arena *room,
                    spmv_error *err)
{
    const int64_t n = (A->rows + slice - 1) / slice;
    csell_source<I> from;
    int64_t scratch = 0;
    spmv_status st;

    *l = {};
    l->row_end = row_end;
    l->slice = slice;
    l->slices = n;
    l->window = window;
    if (window > 1) SPMV__TRY(sort_rows<I>(l, A, gpu, room, err));
    from = source<I>(l, A);
    SPMV__TRY(take_slices(&l->of, A->rows, n, room, err));
    SPMV__TRY(csell_measure(&from, &l->of, &unsorted->of, A->nnz, gpu, err));
    SPMV__TRY(exclusive_sum(l->of.room, n, gpu, room, &scratch, err));
    SPMV__TRY(arena_take(room, &l->of.scratch, scratch, CSELL_BUILD, err));
    SPMV__TRY(csell_choose(&from, &l->of, gpu, err));
    SPMV__TRY(exclusive_sum(l->of.slots, n, gpu, room, &l->slots, err));
    SPMV__TRY(exclusive_sum(l->of.words, n, gpu, room, &l->words, err));
    l->cost = l->slots * (1 + from.value_size) + l->words * (int64_t)sizeof(int32_t);
    if (window > 1) l->cost += A->rows * (int64_t)sizeof *l->perm;
done:
    return st;
}

template <class I>
spmv_status best_layout(sliced_layout *out, const spmv_csr *A, const void *row_end, spmv__gpu *gpu,
                        arena *room, spmv_error *err)
{
    const int64_t all = (A->rows + SPMV__CSELL_SORTED - 1) / SPMV__CSELL_SORTED;
    const int64_t window = min(all, (int64_t)SPMV__CSELL_WINDOW) * SPMV__CSELL_SORTED;
    sliced_layout sorted = {};
    spmv_status st;
    SPMV__TRY(lay_out<I>(out, A, row_end, SPMV__CSELL_OWN_ORDER, 1, out, gpu, room, err));
    if (out->slots - A->nnz <= out->slots / SPMV__CSELL_WORTH) goto done;
    SPMV__TRY(lay_out<I>(&sorted, A, row_end, SPMV__CSELL_SORTED, window, out, gpu, room, err));
    if (sorted.cost < out->cost - out->cost / SPMV__CSELL_WORTH) *out = sorted;
done:
    return st;
}

/* ---- Filling --------------------------------------------------------------------------------- */

template <class O>
__global__ void store_offsets(int64_t n, const int64_t *from, O *to)
{
    const int64_t i = global_thread();
    if (i < n) to[i] = (O)from[i];
}

/* Copies n offsets into an array of the matrix. */
spmv_status place_offsets(const spmv_gpu_matrix *M, int64_t *to, const int64_t *from, int64_t n,
                          spmv__gpu *gpu, spmv_error *err)
{
    by_index(M, [&](auto i) {
        using O = decltype(i);
        launch_kernel(store_offsets<O>, blocks_for(n, CSELL_BLOCK), CSELL_BLOCK, 0,
                      spmv__gpu_stream(gpu), n, from, (O *)to);
    });
    return check_launch(CSELL_BUILD, err);
}

/* Copies n numbers from one place on the device to another. */
spmv_status place_numbers(int32_t *to, const int32_t *from, int64_t n, spmv__gpu *gpu,
                          spmv_error *err)
{
    if (n == 0) return SPMV_SUCCESS;
    return check(cudaMemcpyAsync(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToDevice,
                                 spmv__gpu_stream(gpu)),
                 SPMV_ERROR_CUDA_MEMCPY, CSELL_BUILD, err);
}

} // namespace

struct spmv__csell_build {
    spmv__gpu *gpu;
    const spmv_gpu_matrix *A;
    sliced_layout best;
    arena room;
};

spmv_status spmv__csell_build_choose(spmv__csell_build **out, spmv__gpu *gpu,
                                     const spmv_gpu_matrix *A, const void *row_end,
                                     spmv_csell *shape, spmv_error *err)
{
    const spmv_csr *csr = &A->shape.csr;
    spmv__csell_build *b = NULL;
    spmv_status st;

    *out = NULL;
    SPMV__TRY(spmv__alloc(&b, 1, sizeof *b, CSELL_BUILD, err));
    b->gpu = gpu;
    b->A = A;
    b->room.next = 8 * csr->rows + csr->nnz / 4; /* bytes that one layout takes, about */
    SPMV__TRY(A->narrow ? best_layout<int32_t>(&b->best, csr, row_end, gpu, &b->room, err)
                        : best_layout<int64_t>(&b->best, csr, row_end, gpu, &b->room, err));
    shape->slice = b->best.slice;
    shape->window = b->best.window;
    shape->slots = b->best.slots;
    shape->words = b->best.words;
    *out = b;
    b = NULL;
done:
    spmv__csell_build_destroy(b);
    return st;
}

spmv_status spmv__csell_build_fill(const spmv__csell_build *b, spmv_gpu_matrix *to, spmv_error *err)
{
    const sliced_layout *l = &b->best;
    const spmv_csr *A = &b->A->shape.csr;
    spmv_csell *B = &to->shape.csell;
    const csell_fill fill = {B->code, B->val, A->val, l->slots};
    const int64_t n = l->slices, bytes = l->words * (int64_t)sizeof *B->code;
    spmv_status st;

    if (l->window > 1) SPMV__TRY(place_numbers(B->perm, l->perm, A->rows, b->gpu, err));
    SPMV__TRY(place_numbers(B->encoding, l->of.encoding, n, b->gpu, err));
    SPMV__TRY(place_offsets(to, B->slice_ptr, l->of.slots, n + 1, b->gpu, err));
    SPMV__TRY(place_offsets(to, B->code_ptr, l->of.words, n + 1, b->gpu, err));
    if (bytes > 0) SPMV__TRY(spmv__gpu_clear(b->gpu, B->code, bytes, err));
    if (b->A->narrow) {
        const csell_source<int32_t> from = source<int32_t>(l, A);
        SPMV__TRY(csell_write(&from, &l->of, &fill, b->gpu, err));
    } else {
        const csell_source<int64_t> from = source<int64_t>(l, A);
        SPMV__TRY(csell_write(&from, &l->of, &fill, b->gpu, err));
    }
    st = spmv__gpu_synchronize(b->gpu, err);
done:
    return st;
}

void spmv__csell_build_destroy(spmv__csell_build *b)
{
    if (b == NULL) return;
    arena_release(&b->room);
    free(b);
}
