/* internal.h -- what the folders share but callers of the library do not see.
 *
 * Names begin with spmv__ (two underscores).  cli/ must not include this file. */
#ifndef SPMV_INTERNAL_H
#define SPMV_INTERNAL_H

#include "spmv.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Leave for the label `done` of the enclosing function when call fails; `st` holds the status. */
#define SPMV__TRY(call)                    \
    do {                                   \
        st = (call);                       \
        if (st != SPMV_SUCCESS) goto done; \
    } while (0)

/* Leave a public function at once when an argument is not what it must be. */
#define SPMV__REQUIRE(condition, err)                                                         \
    do {                                                                                      \
        if (!(condition))                                                                     \
            return spmv__fail((err), SPMV_ERROR_INVALID_ARGUMENT, "%s requires %s", __func__, \
                              #condition);                                                    \
    } while (0)

#if defined(__GNUC__)
#define SPMV__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SPMV__PRINTF(text, first)
#endif

/* Tell how far long work has come, where somebody wants to know; SPMV__PORTION entries apart. */
static inline void spmv__report(spmv_progress_callback *progress, void *user, const char *stage,
                                int64_t done, int64_t total)
{
    const spmv_progress now = {stage, done, total};
    if (progress != NULL) progress(user, &now);
}

/* See meter.h. */
typedef struct spmv__meter spmv__meter;

/* A function that is specialised by being inlined with constant arguments. */
#if defined(__GNUC__)
#define SPMV__INLINE static inline __attribute__((always_inline))
#else
#define SPMV__INLINE static inline
#endif

/* Fill *err (when not NULL) with a sentence and return status.  Place and file are cleared. */
spmv_status spmv__fail(spmv_error *err, spmv_status status, const char *format, ...)
    SPMV__PRINTF(3, 4);

/* ---- Memory --------------------------------------------------------------------------------- */

/* out = a * b, or false when that exceeds int64_t or either is negative. */
bool spmv__product(int64_t a, int64_t b, int64_t *out);

/* The one way to allocate: *out (a pointer to any object pointer) = count * size bytes, zeroed;
 * a count of 0 gives a pointer that can be freed.  Refuses, with the number of bytes and `what` in
 * the message, what overflows or is more than the memory that is free. */
spmv_status spmv__alloc(void *out, int64_t count, size_t size, const char *what, spmv_error *err);

/* Conversions and checks of fewer nonzeros stay on one thread: starting others takes longer. */
enum { SPMV__PARALLEL_NNZ = 1 << 16, SPMV__PARALLEL_CHECK_NNZ = 1 << 19, SPMV__PORTION = 1 << 18 };

/* Threads to use: `threads`, or all of OpenMP when it is 0, SPMV_MAX_THREADS at most. */
int spmv__threads(int threads);

/* The number of the calling thread in its team, from 0. */
int spmv__thread(void);

/* Before work of milliseconds in parallel: the first call starts a thread on each processor. */
void spmv__threads_start(void);

/* ---- Formats -------------------------------------------------------------------------------- */

typedef enum spmv__element { SPMV__I32, SPMV__I64, SPMV__VALUE } spmv__element;

/* One array of a format.  From these rows follow destroying, copying, counting bytes, binary files
 * and the way to the GPU and back.  An array of values follows the array of indices that it goes
 * with; an index of -1 there marks padding, where the format does not tell in another way. */
typedef struct spmv__array {
    const char *name;      /* "row_ptr"; parts of HYB: "ell.col_idx" */
    size_t offset;         /* of its pointer in spmv_matrix */
    spmv__element element; /* SPMV__VALUE: of the matrix's type, absent for a pattern */
    /* Elements, from the head and the parameters; -1 when these make no int64_t (a hostile file
     * may give any head and parameters from 0 to 2^62: multiply with spmv__product). */
    int64_t (*count)(const spmv_matrix *A);
} spmv__array;

/* Multiply on the CPU.  x and y are one column each of type vector_type; arguments are checked and
 * threads >= 1.  scratch is [2 * A->head.rows] (sums may be complex), uninitialised, and NULL
 * unless the format's record asks for it: the multiplication itself allocates nothing and cannot
 * fail. */
typedef void (*spmv__cpu_multiply)(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                                   const void *x, spmv_scalar beta, void *y, double *scratch,
                                   int threads);

/* Called for one stored entry; val points at its value, NULL in a pattern. */
typedef void (*spmv__visit)(void *user, int64_t row, int64_t col, const void *val);

enum {
    SPMV__SPMM_SCRATCH = 1024, /* doubles for each vector */
    SPMV__TO_CSR_WALKS = 2,    /* count the entries of the rows, then place them */
};

/* Everything about a format: one record a file, one line in the table of core/format.c. */
typedef struct spmv__format {
    const char *name;
    int64_t max_rows, max_cols; /* that its indices can address */
    const spmv__array *arrays;
    int array_count;
    const size_t *params; /* offsets in spmv_matrix of the int64_t members that sizes depend on */
    int param_count;      /* beside the head: ELL width, ... */
    void (*adopt)(spmv_matrix *A); /* fill members that follow from head and params; may be NULL */
    /* The arrays have the sizes that head and parameters promise; nothing else is certain. */
    spmv_status (*check)(const spmv_matrix *A, spmv_error *err);
    /* NULL in CSR itself. */
    spmv_status (*from_csr)(spmv_matrix *out, const spmv_csr *A, const spmv_build *build,
                            spmv__meter *meter, spmv_error *err);
    /* Head and parameters, without arrays, of what from_csr makes whatever the limit of the fill,
     * and the slots that count there; NULL: all follows from the head, and nothing is padded. */
    spmv_status (*plan)(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_build *build, spmv_error *err);
    int walks; /* of from_csr over all entries, each of which is told to the meter */
    /* A shorter way to CSR than through `each`, in SPMV__TO_CSR_WALKS; may be NULL. */
    spmv_status (*to_csr)(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err);
    /* Set the values of padding to 0; NULL where an index of -1 tells which that is. */
    void (*clear_padding)(spmv_matrix *A);
    /* Visit every stored entry, in an order in which the columns of each row ascend. */
    void (*each)(const spmv_matrix *A, spmv__visit visit, void *user);
    spmv_scalar (*get)(const spmv_matrix *A, int64_t row, int64_t col); /* indices are in range */
    spmv__cpu_multiply multiply;
    /* The same for several vectors stored by rows, with a scratch for each; NULL: not in this
     * format. */
    void (*spmm)(const spmv_matrix *A, spmv_type vector_type, int64_t vectors, spmv_scalar alpha,
                 const void *x, spmv_scalar beta, void *y, double *scratch, int threads);
    bool scratch;               /* multiply needs its scratch */
    const char *kernel;         /* name of the CPU kernel: "cpu-csr" */
    const char *kernel_summary; /* its one line in --list-kernels */
} spmv__format;

extern const spmv__format spmv__coo_format, spmv__csr_format, spmv__csc_format, spmv__ell_format,
    spmv__hyb_format, spmv__jds_format, spmv__sell_format, spmv__sellc_format;

#define X(id, name, meaning)                                                                     \
    void spmv__##name##_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha, \
                                 const void *x, spmv_scalar beta, void *y, double *scratch,      \
                                 int threads);
SPMV_FORMAT_TABLE(X)
#undef X

const spmv__format *spmv__format_of(spmv_format format);

/* Parameter i of those that the format's record lists. */
int64_t spmv__param(const spmv_matrix *A, int i);

/* The pointer member that `array` names, as an lvalue. */
void **spmv__array_pointer(spmv_matrix *A, const spmv__array *array);
const void *spmv__array_data(const spmv_matrix *A, const spmv__array *array);

/* Bytes of one element, given the type of the values. */
size_t spmv__element_size(spmv__element element, spmv_type type);

/* Bytes of the whole array, 0 for the values of a pattern, -1 when no int64_t holds them. */
int64_t spmv__array_bytes(const spmv_matrix *A, const spmv__array *array);

/* A matrix of this format and head, without arrays. */
static inline spmv_matrix spmv__blank(spmv_format format, spmv_type type, spmv_symmetry symmetry,
                                      int64_t rows, int64_t cols, int64_t nnz)
{
    spmv_matrix A;
    memset(&A, 0, sizeof A);
    A.format = format;
    A.head.type = type;
    A.head.symmetry = symmetry;
    A.head.rows = rows;
    A.head.cols = cols;
    A.head.nnz = nnz;
    return A;
}

/* A CSR matrix as one in any format; the arrays stay where they are. */
static inline spmv_matrix spmv__wrap_csr(const spmv_csr *A)
{
    spmv_matrix B = spmv__blank(SPMV_CSR, A->type, A->symmetry, A->rows, A->cols, A->nnz);
    B.csr = *A;
    return B;
}

/* Head and parameters are possible: known format, type and symmetry, nothing negative, shape
 * within the format's limits, square unless GENERAL.
 * Errors: INVALID_FORMAT (no such enumerator), INVALID_DIMENSION. */
spmv_status spmv__check_head(const spmv_matrix *A, spmv_error *err);

/* Allocate the arrays of A, all zero, in the sizes that its format, head and parameters ask for.
 * On failure A is left empty.  Errors: those of spmv__check_head, OUT_OF_MEMORY (also, before
 * anything is allocated, when all arrays together exceed the machine's memory). */
spmv_status spmv__allocate(spmv_matrix *A, spmv_error *err);

/* Copy head, parameters and arrays. */
spmv_status spmv__copy(spmv_matrix *out, const spmv_matrix *A, spmv_error *err);

/* The transpose of A in CSR or CSC, in the other one of the two: the same arrays, which belong to
 * nobody else but A and so to one of the two. */
spmv_matrix spmv__relabel(const spmv_matrix *A);

/* spmv_convert for those who do more than that: progress is told of `stage`. */
spmv_status spmv__convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                          const spmv_build *build, const char *stage, spmv_error *err);

/* out = A in another format; A is left empty.  Its arrays move when the format is the same. */
spmv_status spmv__convert_move(spmv_matrix *out, spmv_matrix *A, spmv_format format,
                               const spmv_build *build, spmv_error *err);

/* May (row, col) be stored?  Inside the matrix, and inside the triangle unless GENERAL. */
static inline bool spmv__entry_valid(const spmv_head *A, int64_t row, int64_t col)
{
    return (uint64_t)row < (uint64_t)A->rows && (uint64_t)col < (uint64_t)A->cols &&
           (A->symmetry == SPMV_GENERAL || row > col || (row == col && A->symmetry != SPMV_SKEW));
}

/* INVALID_FORMAT for entry p at (row, col): outside the matrix or its triangle, else out of order.
 */
spmv_status spmv__bad_entry(const spmv_matrix *A, int64_t p, int64_t row, int64_t col,
                            spmv_error *err);

/* INVALID_FORMAT unless ptr[0 .. n] starts at 0, never falls and ends at nnz. */
spmv_status spmv__check_offsets(const int64_t *ptr, int64_t n, int64_t nnz, const char *name,
                                spmv_error *err);

/* Position of `wanted` among the ascending idx[begin .. end), or -1. */
int64_t spmv__find_i32(const int32_t *idx, int64_t begin, int64_t end, int64_t wanted);

/* ptr is [n + 1] with ptr[0] == 0 and count i in ptr[i + 1]: replace the counts by their running
 * sum, so that group i takes places ptr[i] .. ptr[i + 1] - 1. */
void spmv__counts_to_offsets(int64_t *ptr, int64_t n);

int64_t spmv__longest_row(const spmv_csr *A);

/* Make n slots padding: the columns of ELL and SELL before they are filled. */
static inline void spmv__clear_columns(int32_t *col_idx, int64_t n)
{
    /* All bits set is -1 in two's complement. */
    if (n > 0) memset(col_idx, 0xff, (size_t)n * sizeof *col_idx);
}

/* ---- Values --------------------------------------------------------------------------------- */

static inline spmv_scalar spmv__number(double re, double im)
{
    spmv_scalar s = {re, im};
    return s;
}

/* Value p of an array of the given type; 1 for a pattern. */
static inline spmv_scalar spmv__scalar(spmv_type type, const void *val, int64_t p)
{
    const double *doubles = (const double *)val;
    const float *floats = (const float *)val;
    if (type == SPMV_F64) return spmv__number(doubles[p], 0);
    if (type == SPMV_F32) return spmv__number((double)floats[p], 0);
    if (type == SPMV_C128) return spmv__number(doubles[2 * p], doubles[2 * p + 1]);
    if (type == SPMV_C64) return spmv__number((double)floats[2 * p], (double)floats[2 * p + 1]);
    return spmv__number(1, 0);
}

/* The real part of value p. */
static inline double spmv__value(spmv_type type, const void *val, int64_t p)
{
    return spmv__scalar(type, val, p).re;
}

static inline bool spmv__is_zero(spmv_scalar value)
{
    return value.re == 0 && value.im == 0;
}

/* What stands at (col, row) when `value` is stored at (row, col) off the diagonal. */
static inline spmv_scalar spmv__mirrored(spmv_symmetry symmetry, spmv_scalar value)
{
    if (symmetry == SPMV_SKEW) return spmv__number(-value.re, -value.im);
    if (symmetry == SPMV_HERMITIAN) return spmv__number(value.re, -value.im);
    return value;
}

/* Address of value p; NULL for a pattern. */
static inline const void *spmv__value_at(spmv_type type, const void *val, int64_t p)
{
    if (type == SPMV_F64) return (const double *)val + p;
    if (type == SPMV_F32) return (const float *)val + p;
    if (type == SPMV_C128) return (const double *)val + 2 * p;
    if (type == SPMV_C64) return (const float *)val + 2 * p;
    return NULL;
}

/* val[p] = value, rounded to the type; nothing in a pattern.  A real type takes the real part. */
static inline void spmv__set_scalar(spmv_type type, void *val, int64_t p, spmv_scalar value)
{
    const int64_t at = spmv_type_is_complex(type) ? 2 * p : p;
    if (type == SPMV_F64 || type == SPMV_C128) ((double *)val)[at] = value.re;
    if (type == SPMV_F32 || type == SPMV_C64) ((float *)val)[at] = (float)value.re;
    if (type == SPMV_C128) ((double *)val)[at + 1] = value.im;
    if (type == SPMV_C64) ((float *)val)[at + 1] = (float)value.im;
}

/* val[p] = a real number. */
static inline void spmv__set_value(spmv_type type, void *val, int64_t p, double value)
{
    spmv__set_scalar(type, val, p, spmv__number(value, 0));
}

/* to[q] = from[p], bit for bit; nothing in a pattern. */
static inline void spmv__copy_value(spmv_type type, void *to, int64_t q, const void *from,
                                    int64_t p)
{
    if (type == SPMV_F64 || type == SPMV_C64)
        memcpy((double *)to + q, (const double *)from + p, sizeof(double));
    else if (type == SPMV_F32)
        memcpy((float *)to + q, (const float *)from + p, sizeof(float));
    else if (type == SPMV_C128)
        memcpy((double *)to + 2 * q, (const double *)from + 2 * p, 2 * sizeof(double));
}

/* The type of double precision for numbers of this type. */
static inline spmv_type spmv__double_type(spmv_type type)
{
    return spmv_type_is_complex(type) ? SPMV_C128 : SPMV_F64;
}

/* factor * value.  A factor without imaginary part scales both parts of the value, infinite ones
 * too. */
static inline spmv_scalar spmv__scaled(spmv_scalar factor, spmv_scalar value)
{
    if (factor.im == 0) return spmv__number(factor.re * value.re, factor.re * value.im);
    return spmv__number(factor.re * value.re - factor.im * value.im,
                        factor.re * value.im + factor.im * value.re);
}

/* The part of a complex number that is asked for; not for SPMV_COMPLEX_KEEP. */
double spmv__part(spmv_complex part, spmv_scalar value);

/* ---- CPU ------------------------------------------------------------------------------------ */

/* X(name, type of the values, type of x): the combinations that multiply. */
#define SPMV__TYPES_TABLE(X)                 \
    X(f64, SPMV_F64, SPMV_F64)               \
    X(f32, SPMV_F32, SPMV_F32)               \
    X(f32_f64, SPMV_F32, SPMV_F64)           \
    X(c128, SPMV_C128, SPMV_C128)            \
    X(c64, SPMV_C64, SPMV_C64)               \
    X(f64_c128, SPMV_F64, SPMV_C128)         \
    X(f32_c64, SPMV_F32, SPMV_C64)           \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64)   \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32)   \
    X(pattern_c128, SPMV_PATTERN, SPMV_C128) \
    X(pattern_c64, SPMV_PATTERN, SPMV_C64)

/* Describe the CPU; measures the streaming bandwidth once per process. */
void spmv__cpu_describe(spmv_device_info *out);

/* Numbers of `size` bytes (4 or 8) per second that all threads together read from random places of
 * a vector of n.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__cpu_gather_rate(size_t size, int64_t n, int threads, double *out,
                                  spmv_error *err);

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
