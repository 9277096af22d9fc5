/* no_cuda.c -- the GPU in a build without CUDA: there is none.
 *
 * Contexts cannot be opened on it, so that nothing which needs an open GPU is ever reached. */
#include "core/base/base.h"
#include "cuda/comm/move_elements.h"
#include "cuda/gpu/process_memory.h"
#include "cuda/gpus/swap.h"
#include "cuda/kernels/csell_build/csell_build.h"
#include "cuda/kernels/transpose_dense.h"
#include "cuda/kernels/view_arrays.h"
#include "cuda/pagerank/gpu_pagerank.h"
#include "cuda/spgemm/gpu_product.h"

static spmv_status absent(spmv_error *err)
{
    return spmv__fail(err, SPMV_ERROR_NO_DEVICE, "this build has no GPU support");
}

int spmv_gpu_count(void)
{
    return 0;
}

spmv_status spmv__gpu_describe(int device, spmv_device_info *out, spmv_error *err)
{
    (void)device, (void)out;
    return absent(err);
}

spmv_status spmv__gpu_open(spmv__gpu **out, int device, const spmv__lender *lender, spmv_error *err)
{
    (void)out, (void)device, (void)lender;
    return absent(err);
}

void spmv__gpu_close(spmv__gpu *gpu)
{
    (void)gpu;
}

spmv_status spmv__gpu_select(spmv__gpu *gpu, spmv_error *err)
{
    (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_fits(int64_t bytes, const char *what, spmv_error *err)
{
    (void)bytes, (void)what;
    return absent(err);
}

spmv_status spmv__gpu_free_bytes(int64_t *bytes, spmv_error *err)
{
    (void)bytes;
    return absent(err);
}

spmv_status spmv__gpu_left(int64_t *bytes, spmv_error *err)
{
    (void)bytes;
    return absent(err);
}

void spmv__gpu_watch(int64_t *least)
{
    (void)least;
}

void spmv__gpu_unwatch(const int64_t *least)
{
    (void)least;
}

void spmv__gpu_look_at_memory(void) {}

spmv_status spmv__gpu_alloc(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    (void)out, (void)bytes, (void)what;
    return absent(err);
}

void spmv__gpu_free(void *data)
{
    (void)data;
}

spmv_status spmv__gpu_upload(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                             spmv_error *err)
{
    (void)gpu, (void)to, (void)from, (void)bytes;
    return absent(err);
}

spmv_status spmv__gpu_download(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                               spmv_error *err)
{
    (void)gpu, (void)to, (void)from, (void)bytes;
    return absent(err);
}

spmv_status spmv__gpu_clear(spmv__gpu *gpu, void *data, int64_t bytes, spmv_error *err)
{
    (void)gpu, (void)data, (void)bytes;
    return absent(err);
}

spmv_status spmv__gpu_ceilings(spmv__gpu *gpu, int64_t bytes, size_t size, int64_t n,
                               int multiprocessors, spmv_peak_rates *out, spmv_error *err)
{
    (void)gpu, (void)bytes, (void)size, (void)n, (void)multiprocessors, (void)out;
    return absent(err);
}

spmv_status spmv__gpu_synchronize(spmv__gpu *gpu, spmv_error *err)
{
    (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_timer_start(spmv__gpu *gpu, spmv_error *err)
{
    (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_timer_stop(spmv__gpu *gpu, double *seconds, spmv_error *err)
{
    (void)gpu, (void)seconds;
    return absent(err);
}

spmv_status spmv__gpu_record_begin(spmv__gpu *gpu, spmv_error *err)
{
    (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_record_end(spmv__gpu *gpu, spmv_recording **out, spmv_error *err)
{
    (void)gpu, (void)out;
    return absent(err);
}

spmv_status spmv__gpu_replay(spmv__gpu *gpu, const spmv_recording *recording, spmv_error *err)
{
    (void)gpu, (void)recording;
    return absent(err);
}

void spmv_recording_destroy(spmv_recording *recording)
{
    (void)recording;
}

spmv_status spmv__pagerank_hubs(spmv_type precision, int width, int64_t *hubs, spmv_error *err)
{
    (void)precision, (void)width, (void)hubs;
    return absent(err);
}

spmv_status spmv__pagerank_blocks(spmv__pagerank_job *job, spmv_error *err)
{
    (void)job;
    return absent(err);
}

spmv_status spmv__pagerank_enqueue(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                   spmv_error *err)
{
    (void)gpu, (void)job, (void)step;
    return absent(err);
}

spmv_status spmv__pagerank_guess(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                 spmv_error *err)
{
    (void)gpu, (void)job, (void)step;
    return absent(err);
}

spmv_status spmv__gpu_product_count(spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err)
{
    (void)p, (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_product_sum(spmv__gpu_product *p, int64_t begin, int64_t end, int64_t first,
                                  int32_t *col_idx, void *val, spmv__gpu *gpu, spmv_error *err)
{
    (void)p, (void)begin, (void)end, (void)first, (void)col_idx, (void)val, (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_sums_prepare(spmv__gpu_sums **out, spmv__gpu_product *p, int64_t begin,
                                   int64_t end, spmv__gpu *gpu, spmv_error *err)
{
    (void)out, (void)p, (void)begin, (void)end, (void)gpu;
    return absent(err);
}

void spmv__gpu_sums_free(spmv__gpu_sums *sums)
{
    (void)sums;
}

spmv_status spmv__gpu_sums_enqueue(const spmv__gpu_sums *sums, const spmv__gpu_product *p,
                                   int64_t first, int32_t *col_idx, void *val, spmv__gpu *gpu,
                                   spmv_error *err)
{
    (void)sums, (void)p, (void)first, (void)col_idx, (void)val, (void)gpu;
    return absent(err);
}

spmv_status spmv__product_lists_create(spmv__product_lists **out, const spmv__gpu_product *p,
                                       spmv__gpu *gpu, spmv_error *err)
{
    (void)out, (void)p, (void)gpu;
    return absent(err);
}

void spmv__product_lists_free(spmv__product_lists *lists)
{
    (void)lists;
}

spmv_status spmv__product_lists_enqueue(const spmv__product_lists *lists,
                                        const spmv__gpu_product *p, void *val, spmv__gpu *gpu,
                                        spmv_error *err)
{
    (void)lists, (void)p, (void)val, (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_product_download(const spmv__gpu_product *p, int64_t *row_ptr, spmv__gpu *gpu,
                                       spmv_error *err)
{
    (void)p, (void)row_ptr, (void)gpu;
    return absent(err);
}

spmv_status spmv__gpu_product_offsets(const spmv__gpu_product *p, void *row_ptr, bool narrow,
                                      spmv__gpu *gpu, spmv_error *err)
{
    (void)p, (void)row_ptr, (void)narrow, (void)gpu;
    return absent(err);
}

void spmv__gpu_product_memory_free(void *memory)
{
    (void)memory;
}

struct CUstream_st *spmv__gpu_stream(spmv__gpu *gpu)
{
    (void)gpu;
    return NULL;
}

spmv_status spmv__gpu_follow(spmv__gpu *gpu, spmv__gpu *other, spmv_error *err)
{
    (void)gpu, (void)other;
    return absent(err);
}

spmv_status spmv__gpu_reach(int device, bool *apart, spmv_error *err)
{
    (void)device, (void)apart;
    return absent(err);
}

spmv_status spmv__gpu_alloc_open(spmv__gpu *gpu, void **out, int64_t bytes, const char *what,
                                 spmv_error *err)
{
    (void)gpu, (void)out, (void)bytes, (void)what;
    return absent(err);
}

spmv_status spmv__gpu_name_address(spmv__gpu_address *out, int device, spmv_error *err)
{
    (void)out, (void)device;
    return absent(err);
}

spmv_status spmv__gpu_export(spmv__gpu_handle *out, void *open, spmv_error *err)
{
    (void)out, (void)open;
    return absent(err);
}

spmv_status spmv__gpu_import(void **out, const spmv__gpu_handle *handle, spmv_error *err)
{
    (void)out, (void)handle;
    return absent(err);
}

void spmv__gpu_close_import(void *imported)
{
    (void)imported;
}

void spmv__gpu_pin(void *data, int64_t bytes)
{
    (void)data, (void)bytes;
}

void spmv__gpu_unpin(void *data, int64_t bytes)
{
    (void)data, (void)bytes;
}

spmv_status spmv__move_elements(spmv__gpu *gpu, const spmv__element_moves *moves, const void *x,
                                void *to, spmv_error *err)
{
    (void)gpu, (void)moves, (void)x, (void)to;
    return absent(err);
}

spmv_status spmv__pass(spmv__gpu *gpu, spmv_error *err)
{
    (void)gpu;
    return absent(err);
}

spmv_status spmv__swap_give(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    (void)gpu, (void)swap;
    return absent(err);
}

spmv_status spmv__swap_wait(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    (void)gpu, (void)swap;
    return absent(err);
}

spmv_status spmv__swap_done(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    (void)gpu, (void)swap;
    return absent(err);
}

spmv_status spmv__gpu_indices_copy(spmv__gpu *gpu, void *to, int bits,
                                   const spmv__gpu_indices *from, spmv_error *err)
{
    (void)gpu, (void)to, (void)bits, (void)from;
    return absent(err);
}

spmv_status spmv__gpu_indices_get(spmv__gpu *gpu, const spmv__gpu_indices *from, int64_t i,
                                  int64_t *value, spmv_error *err)
{
    (void)gpu, (void)from, (void)i, (void)value;
    return absent(err);
}

spmv_status spmv__gpu_indices_find_fall(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                        int64_t *place, spmv_error *err)
{
    (void)gpu, (void)from, (void)place;
    return absent(err);
}

spmv_status spmv__gpu_indices_find_outside(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                           int64_t count, int64_t *place, spmv_error *err)
{
    (void)gpu, (void)from, (void)count, (void)place;
    return absent(err);
}

spmv_status spmv__gpu_indices_find_unordered(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                             const int32_t *col_idx, int64_t nnz, int64_t *place,
                                             spmv_error *err)
{
    (void)gpu, (void)row_ptr, (void)col_idx, (void)nnz, (void)place;
    return absent(err);
}

spmv_status spmv__gpu_array_check(const void *data, const char *name, spmv_error *err)
{
    (void)data, (void)name;
    return absent(err);
}

spmv_status spmv__gpu_indices_longest_loads(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                            int64_t *loads, spmv_error *err)
{
    (void)gpu, (void)row_ptr, (void)loads;
    return absent(err);
}

spmv_status spmv__csell_build_choose(spmv__csell_build **out, spmv__gpu *gpu,
                                     const spmv_gpu_matrix *A, const void *row_end,
                                     spmv_csell *shape, spmv_error *err)
{
    (void)out, (void)gpu, (void)A, (void)row_end, (void)shape;
    return absent(err);
}

spmv_status spmv__csell_build_fill(const spmv__csell_build *build, spmv_gpu_matrix *to,
                                   spmv_error *err)
{
    (void)build, (void)to;
    return absent(err);
}

void spmv__csell_build_destroy(spmv__csell_build *build)
{
    (void)build;
}

spmv_status spmv__gpu_transpose(spmv__gpu *gpu, spmv__dense_rows to, spmv__dense_rows from,
                                int64_t rows, int64_t cols, int64_t size, spmv_error *err)
{
    (void)gpu, (void)to, (void)from, (void)rows, (void)cols, (void)size;
    return absent(err);
}
