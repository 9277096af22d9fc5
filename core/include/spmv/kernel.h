/* spmv/kernel.h -- kernels, and choosing one; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_KERNEL_H
#define SPMV_KERNEL_H

#include "spmv/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A way to multiply.  The list is the same in every build; kernels for the GPU are `available`
 * only where CUDA was compiled in. */
typedef struct spmv_kernel {
    const char *name; /* "csr-merge" */
    const char *summary;
    spmv_format format; /* of the matrix it takes */
    bool gpu;           /* runs on the GPU, else on the CPU */
    bool deterministic; /* the same bits every time */
    bool available;     /* in this build */
    bool spmm;          /* takes several vectors stored by rows, all in one pass over the matrix */
} spmv_kernel;

int spmv_kernel_count(void);
const spmv_kernel *spmv_kernel_at(int i);              /* NULL outside 0 .. count-1 */
const spmv_kernel *spmv_kernel_find(const char *name); /* NULL: no such kernel */

typedef struct spmv_kernel_options {
    const char *kernel; /* a name from the list, never freed */
    int block_size; /* GPU threads per block, a power of two in [32, 1024]; 0: the kernel's own */
    /* Let the GPU kernels csr-scalar, csr-vector, csr-merge and ell load x, unless it is complex,
     * through the texture (read-only data) path.  They then begin when all work before has ended;
     * otherwise csr-merge, and csr-vector with a small matrix, have loaded their part of the matrix
     * by then, and csr-scalar its row offsets. */
    bool x_readonly;
    /* The type of the vectors that will be multiplied, for which a plan leaves room; vectors of
     * other types are multiplied too, but perhaps not as fast.  PATTERN: that of A, and double
     * precision where A is a pattern. */
    spmv_type vector_type;
} spmv_kernel_options;

/* The rule of row lengths: mean < 4 -> csr-scalar; else max / (min + 1) < 10 -> csr-vector; else
 * csr-merge; block size 256; x through the read-only path when cols > 10,000. */
spmv_kernel_options spmv_kernel_options_rule(const spmv_row_stats *stats);

/* Our rule, for the GPU or for the CPU; *reason (may be NULL) is set to a static sentence. */
spmv_kernel_options spmv_kernel_options_auto(const spmv_row_stats *stats, bool gpu,
                                             const char **reason);

/* A kernel for a matrix in CSR on a GPU, as estimated. */
typedef struct spmv_weighed {
    spmv_kernel_options options;
    const char *reason; /* a static sentence */
    double product_s;   /* of one multiplication */
    double setup_s;     /* more than that of the first kernel, with the matrix on the GPU */
    double break_even;  /* multiplications that make up for it; infinite: never */
} spmv_weighed;

enum { SPMV_WEIGHED = 4 };
typedef struct spmv_weighing {
    spmv_weighed kernel[SPMV_WEIGHED]; /* [count]; first what spmv_kernel_options_auto says */
    int count, best;
} spmv_weighing;

/* Weigh set-ups against what they save: which kernel, and with it which format, takes the least
 * time in all for so many multiplications with one vector?
 *
 *   A          CSR
 *   stats      of A
 *   bandwidth  bytes per second of the GPU, as spmv_device_describe has it
 *
 * These are estimates: a multiplication takes the time of its bytes, and a set-up what it took on
 * two GPUs.  Errors: INVALID_ARGUMENT, UNSUPPORTED for one triangle, OUT_OF_MEMORY.  Time: that of
 * looking at 2,048 rows, and at up to 4.5 million entries elsewhere. */
spmv_status spmv_kernel_weigh(spmv_weighing *out, const spmv_matrix *A, const spmv_row_stats *stats,
                              double bandwidth, spmv_type vector_type, int64_t products,
                              spmv_error *err);

/* Bandwidth of one multiplication with so many vectors.  Bytes = nnz (value + index) + (rows + 1)
 * offsets + vectors (cols x + rows y), as plain CSR with 32-bit indices and 32- or 64-bit offsets
 * would move ("useful"), and as the format at hand stores it ("moved"). */
typedef struct spmv_bandwidth {
    double useful_bytes, moved_bytes;
    double flops_per_second; /* 2 nnz vectors / time; 4 nnz with complex ones, 8 nnz when A is
                                complex */
    double achieved;         /* useful bytes per second */
    double theoretical;      /* bytes per second, of the device */
    double efficiency; /* achieved / theoretical; above 1 only for cached or compressed data */
} spmv_bandwidth;

/* Errors: INVALID_ARGUMENT unless vectors >= 0, seconds > 0 and theoretical > 0, and for vectors
 * without values. */
spmv_status spmv_bandwidth_compute(const spmv_matrix *A, spmv_type vector_type, int64_t vectors,
                                   double seconds, double theoretical, spmv_bandwidth *out,
                                   spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
