/* internal.h -- what the folders share but callers of the library do not see.
 *
 * Names begin with spmv__ (two underscores).  cli/ must not include this file. */
#ifndef SPMV_INTERNAL_H
#define SPMV_INTERNAL_H

#include "spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Leave for the label `done` of the enclosing function when call fails; `st` holds the status. */
#define SPMV__TRY(call)                    \
    do {                                   \
        st = (call);                       \
        if (st != SPMV_SUCCESS) goto done; \
    } while (0)

#if defined(__GNUC__)
#define SPMV__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SPMV__PRINTF(text, first)
#endif

/* Fill *err (when not NULL) with a sentence and return status.  Place and file are cleared. */
spmv_status spmv__fail(spmv_error *err, spmv_status status, const char *format, ...)
    SPMV__PRINTF(3, 4);

/* ---- Memory --------------------------------------------------------------------------------- */

/* out = a * b, or false when that exceeds int64_t or either is negative. */
bool spmv__product(int64_t a, int64_t b, int64_t *out);

/* The one way to allocate: *out (a pointer to any object pointer) = count * size bytes, zeroed;
 * a count of 0 gives a pointer that can be freed.  Refuses, with the number of bytes and `what` in
 * the message, what overflows or is more than the machine's memory. */
spmv_status spmv__alloc(void *out, int64_t count, size_t size, const char *what, spmv_error *err);

/* The number of threads to use: `threads`, or all that OpenMP would use when it is 0. */
int spmv__threads(int threads);

/* ---- Formats -------------------------------------------------------------------------------- */

typedef enum spmv__element { SPMV__I32, SPMV__I64, SPMV__VALUE } spmv__element;

/* One array of a format.  From these rows follow destroying, copying, counting bytes, binary files
 * and the way to the GPU and back. */
typedef struct spmv__array {
    const char *name;      /* "row_ptr"; parts of HYB: "ell.col_idx" */
    size_t offset;         /* of its pointer in spmv_matrix */
    spmv__element element; /* SPMV__VALUE: of the matrix's type, absent for a pattern */
    /* Elements, from the head and the parameters; -1 when these make no int64_t (a hostile file
     * may give any head and parameters from 0 to 2^62: multiply with spmv__product). */
    int64_t (*count)(const spmv_matrix *A);
} spmv__array;

/* Multiply on the CPU.  x and y are one column each of type vector_type; arguments are checked. */
typedef void (*spmv__cpu_multiply)(const spmv_matrix *A, spmv_type vector_type, double alpha,
                                   const void *x, double beta, void *y, int threads);

/* Everything about a format: one record a file, one line in the table of core/format.c. */
typedef struct spmv__format {
    const char *name;
    const spmv__array *arrays;
    int array_count;
    const size_t *params; /* offsets in spmv_matrix of the int64_t members that sizes depend on */
    int param_count;      /* beside the head: ELL width, ... */
    void (*adopt)(spmv_matrix *A); /* fill members that follow from head and params; may be NULL */
    spmv_status (*check)(const spmv_matrix *A, spmv_error *err);
    spmv_status (*from_csr)(spmv_matrix *out, const spmv_csr *A, const spmv_build *build,
                            spmv_error *err);
    spmv_status (*to_csr)(spmv_csr *out, const spmv_matrix *A, spmv_error *err);
    double (*get)(const spmv_matrix *A, int64_t row, int64_t col); /* indices are in range */
    spmv__cpu_multiply multiply;
    const char *kernel;         /* name of the CPU kernel: "cpu-csr" */
    const char *kernel_summary; /* its one line in --list-kernels */
} spmv__format;

extern const spmv__format spmv__coo_format, spmv__csr_format, spmv__csc_format, spmv__ell_format,
    spmv__hyb_format, spmv__jds_format;

const spmv__format *spmv__format_of(spmv_format format);

/* The pointer member that `array` names, as an lvalue. */
void **spmv__array_pointer(spmv_matrix *A, const spmv__array *array);
const void *spmv__array_data(const spmv_matrix *A, const spmv__array *array);

/* Bytes of one element of `array`, given the type of the values. */
size_t spmv__element_size(spmv__element element, spmv_type type);

/* Value p of an array of the given type; 1 for a pattern. */
static inline double spmv__value(spmv_type type, const void *val, int64_t p)
{
    if (type == SPMV_F64) return ((const double *)val)[p];
    if (type == SPMV_F32) return (double)((const float *)val)[p];
    return 1.0;
}

/* ---- CPU ------------------------------------------------------------------------------------ */

/* Describe the CPU; measures the streaming bandwidth once per process. */
void spmv__cpu_describe(spmv_device_info *out);

/* ---- GPU ------------------------------------------------------------------------------------ */

/* Release memory of any GPU; NULL is fine.  What spmv_dense_destroy calls for `on_gpu`. */
void spmv__gpu_free(void *data);

/* ---- Random numbers ------------------------------------------------------------------------- */

/* splitmix64: a hash of its argument, the source of every random number of the suite. */
static inline uint64_t spmv__mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Number k of stream `seed`, uniform in [0, 1) with 53 bits. */
static inline double spmv__uniform(uint64_t seed, uint64_t k)
{
    return (double)(spmv__mix(spmv__mix(seed) ^ k) >> 11) * 0x1p-53;
}

#ifdef __cplusplus
}
#endif
#endif
