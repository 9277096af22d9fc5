/* kernel.h -- what a GPU kernel is: a record of its plan and its launches, in plain C.
 *
 * A kernel is a .cu file that ends in such a record, or a folder with one, and a line in the table
 * of kernels.c. */
#pragma once

#include "cuda/gpu/gpu.h"
#include "core/multiply/row_lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in GPU memory: the struct of the host, its array pointers replaced by device pointers.
 *
 * When `narrow`, the arrays that are int64_t on the host (offsets, COO indices) hold int32_t here:
 * no shape, parameter or count is above SPMV__NARROW_LIMIT, which leaves room to step past the end
 * by the width of any launch without overflow. */
struct spmv_gpu_matrix {
    spmv_matrix shape;
    bool narrow;
    int device;
    int64_t loads; /* of the longest row of CSR, see row_lanes.h */
    /* What was enqueued just before may write the arrays: none is read before that ends. */
    bool awaited;
    /* The arrays are the caller's, in CSR, and awaited: nobody knows what lies behind them, and
     * columns may be in any order. */
    bool borrowed;
    void *row_ptr_copy, *col_idx_copy; /* owned: where the caller's are other integers, else NULL */
};
enum { SPMV__NARROW_MOST = INT32_MAX - (1 << 20) };
#ifdef SPMV_EMULATED /* there it can be so low that every matrix is wide */
int64_t spmv__emulated_narrow_limit(void);
#define SPMV__NARROW_LIMIT spmv__emulated_narrow_limit()
#else
#define SPMV__NARROW_LIMIT SPMV__NARROW_MOST
#endif

/* Bytes behind each array of a matrix that is not borrowed: 0, and read with what is in front. */
enum { SPMV__ROOM_BEHIND = 128 };

/* One multiplication y = alpha A x + beta y; arguments are checked. */
typedef struct spmv__launch {
    const spmv_gpu_matrix *A;
    void *plan; /* what the kernel's plan() made, or NULL */
    const spmv_kernel_options *options;
    spmv_type vector_type;
    spmv_scalar alpha, beta;    /* without imaginary parts unless the vectors are complex */
    int64_t vectors;            /* 1, or for spmm more, stored by rows */
    const void *x;              /* [cols x vectors] on the device */
    void *y;                    /* [rows x vectors] on the device, not read when beta == 0 */
    void *workspace;            /* for spmm */
    struct CUstream_st *stream; /* a cudaStream_t */
} spmv__launch;

/* A kernel for several vectors. */
typedef struct spmv__gpu_spmm {
    spmv_status (*launch)(const spmv__launch *run, spmv_error *err);
    int64_t (*workspace)(const void *plan, int64_t vectors); /* bytes on the device that it takes */
    /* So many vectors stored by columns, or more, are stored by rows for it; 0: never. */
    int64_t least_columns;
} spmv__gpu_spmm;

typedef struct spmv__gpu_kernel {
    /* Prepare for many launches: allocate workspace, precompute partitions.  NULL: nothing to do.
     * *plan is NULL after a failure. */
    spmv_status (*plan)(void **plan, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                        const spmv_kernel_options *options, spmv_error *err);
    void (*free)(void *plan); /* NULL when plan is; accepts NULL */
    /* Enqueue on the stream and check.  No allocation, no synchronisation, no timing. */
    spmv_status (*launch)(const spmv__launch *run, spmv_error *err);
    /* Threads per block when the configuration says 0; of matrices with SPMV__LARGE_NNZ nonzeros
     * and more, and SPMV__LONG_ROW or more in a row. */
    int block_size, large_block;
    const spmv__gpu_spmm *spmm; /* NULL: not with this kernel */
    /* The kernel that multiplies such vectors instead, as there was nothing to plan for them, or
     * NULL.  NULL: never. */
    const char *(*fallback)(const void *plan, spmv_type vectors);
    bool borrows; /* takes matrices that are borrowed */
} spmv__gpu_kernel;

enum {
    SPMV__LARGE_NNZ = 1 << 22, /* which fill a GPU many times over */
    SPMV__LONG_ROW = 8         /* of which few are in a block */
};

#ifdef __cplusplus
}
#endif
