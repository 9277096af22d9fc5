/* kernels.c -- the list of all kernels, the same in every build.
 *
 * A GPU kernel is a .cu file, or a folder, that exports the record spmv__<id>_kernel, and a line
 * here.  The CPU kernels, one per format, come from the records of the formats.  Within a format
 * the first line is the one to use when nobody chose. */
#include "core/matrix/format.h"
#include "cuda/host/kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* X(id, name, format, deterministic, spmm, summary) */
#define GPU_KERNEL_TABLE(X)                                                                        \
    X(coo_atomic, "coo-atomic", SPMV_COO, false, false,                                            \
      "one thread per nonzero, atomic add into y")                                                 \
    X(csr_merge, "csr-merge", SPMV_CSR, true, true,                                                \
      "equal shares of rows + nonzeros for every warp")                                            \
    X(csr_vector, "csr-vector", SPMV_CSR, true, false, "a warp, or a part of one, per row")        \
    X(csr_scalar, "csr-scalar", SPMV_CSR, true, false, "one thread per row")                       \
    X(csr_panels, "csr-panels", SPMV_CSR, true, false, "rows cut at panels of x in shared memory") \
    X(csr_groups, "csr-groups", SPMV_CSR, true, true,                                              \
      "groups of rows that share columns, for several vectors")                                    \
    X(csr_staged, "csr-staged", SPMV_CSR, true, false,                                             \
      "rows in slices, x staged in shared memory")                                                 \
    X(csr_split, "csr-split", SPMV_CSR, true, false,                                               \
      "rows in compressed slices, far longer ones apart")                                          \
    X(csr_sweep, "csr-sweep", SPMV_CSR, true, false, "entries by column, sums in shared memory")   \
    X(ell, "ell", SPMV_ELL, true, false, "one thread per row over column-major storage")           \
    X(hyb, "hyb", SPMV_HYB, true, false,                                                           \
      "one thread per row of the ELL part, then the COO overflow")                                 \
    X(jds, "jds", SPMV_JDS, true, false, "one thread per sorted row over jagged diagonals")        \
    X(sell, "sell", SPMV_SELL, true, false, "one thread per sorted row over padded slices")        \
    X(csell, "csell", SPMV_CSELL, true, false,                                                     \
      "several rows per thread, columns in the fewest bytes")                                      \
    X(bsr, "bsr", SPMV_BSR, true, false, "one thread per row, over dense blocks")

#ifdef SPMV_HAVE_CUDA
#define X(id, name, format, deterministic, spmm, summary) \
    extern const spmv__gpu_kernel spmv__##id##_kernel;
GPU_KERNEL_TABLE(X)
#undef X
#define RECORD(id) &spmv__##id##_kernel
#define AVAILABLE true
#else
#define RECORD(id) NULL
#define AVAILABLE false
#endif

typedef struct entry {
    spmv_kernel kernel; /* first: a pointer to it is one to the entry */
    const spmv__gpu_kernel *gpu;
} entry;

enum {
#define X(id, name, format, deterministic, spmm, summary) gpu_##id,
    GPU_KERNEL_TABLE(X)
#undef X
        GPU_KERNELS,
    KERNELS = GPU_KERNELS + SPMV_FORMATS
};

static entry list[KERNELS] = {
#define X(id, name, format, deterministic, spmm, summary) \
    {{name, summary, format, true, deterministic, AVAILABLE, spmm}, RECORD(id)},
    GPU_KERNEL_TABLE(X)
#undef X
};

/* The names of the CPU kernels are not constants in C: they are filled in once. */
static void add_cpu_kernels(void)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv__format *format = spmv__format_of((spmv_format)f);
        list[GPU_KERNELS + f].kernel = (spmv_kernel){
            .name = format->kernel,
            .summary = format->kernel_summary,
            .format = (spmv_format)f,
            .deterministic = true,
            .available = true,
            .spmm = format->spmm != NULL,
        };
    }
}

int spmv_kernel_count(void)
{
    return KERNELS;
}

const spmv_kernel *spmv_kernel_at(int i)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, add_cpu_kernels);
    return i >= 0 && i < KERNELS ? &list[i].kernel : NULL;
}

const spmv_kernel *spmv_kernel_find(const char *name)
{
    for (int i = 0; name != NULL && i < KERNELS; i++) {
        const spmv_kernel *kernel = spmv_kernel_at(i);
        if (strcmp(kernel->name, name) == 0) return kernel;
    }
    return NULL;
}

const spmv_kernel *spmv__kernel_for(spmv_format format, bool gpu)
{
    for (int i = 0; i < KERNELS; i++) {
        const spmv_kernel *kernel = spmv_kernel_at(i);
        if (kernel->format == format && kernel->gpu == gpu) return kernel;
    }
    return NULL;
}

const spmv__gpu_kernel *spmv__gpu_kernel_of(const spmv_kernel *kernel)
{
    return ((const entry *)(const void *)kernel)->gpu;
}

const char *spmv__kernel_names(bool (*fits)(const spmv_kernel *kernel),
                               char text[SPMV__KERNEL_NAMES])
{
    const char *separator = "";
    size_t length = 0;
    int left = 0;
    text[0] = '\0';
    for (int i = 0; i < KERNELS; i++) left += fits(spmv_kernel_at(i));
    for (int i = 0; i < KERNELS && length < SPMV__KERNEL_NAMES; i++) {
        if (!fits(spmv_kernel_at(i))) continue;
        length += (size_t)snprintf(text + length, SPMV__KERNEL_NAMES - length, "%s%s", separator,
                                   spmv_kernel_at(i)->name);
        separator = --left == 1 ? " and " : ", ";
    }
    return text;
}
