/* multiply.h -- what the CPU multiplications share.
 *
 * Idea: sums and output are kept apart.  A kernel adds up a block of rows into an array of doubles
 * that stays in the first-level cache; spmv__output_sums then writes y = alpha sum + beta y.  A sum
 * is one double, or with complex vectors two, the real part first.  So only the kernels are
 * specialised by type and instruction set, and two walks serve five formats:
 *
 *   spmv__entries_multiply    entries row after row     CSR, COO and the overflow of HYB
 *   spmv__diagonals_multiply  k-th entries together     ELL, JDS and the ELL part of HYB
 *
 * Both cut the matrix at places that depend on the matrix alone and combine the sums of a row that
 * was cut in the order of the cuts: the result does not depend on the number of threads. */
#pragma once

#include "core/matrix/format.h"
#include "core/matrix/value.h"

enum {
    SPMV__BLOCK = 256,        /* rows summed before they are written: 4 KB of doubles at most */
    SPMV__LEAST_SLOTS = 4096, /* that are worth a thread of their own */
    SPMV__BLOCKS = 512        /* of rows, or slices: enough for any number of threads */
};

/* ---- Instruction sets ----------------------------------------------------------------------- */

#if defined(__GNUC__) && defined(__x86_64__)
#define SPMV__HAVE_AVX2
#define SPMV__TARGET_AVX2 __attribute__((target("avx2,fma")))
#define SPMV__TARGET_AVX512 __attribute__((target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")))
#endif

/* Kernels come for any machine and for AVX2 with FMA, those of several vectors and of CSELL also
 * for AVX-512. */
typedef enum spmv__instructions {
    SPMV__ANY_INSTRUCTIONS,
    SPMV__AVX2,
    SPMV__AVX512,
    SPMV__INSTRUCTION_SETS
} spmv__instructions;

/* What this machine has.  AVX-512 counts from VBMI2 on: processors before it lower their clock for
 * registers of 512 bits. */
static inline spmv__instructions spmv__best_instructions(void)
{
#ifdef SPMV__HAVE_AVX2
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return SPMV__ANY_INSTRUCTIONS;
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi2")
               ? SPMV__AVX512
               : SPMV__AVX2;
#else
    return SPMV__ANY_INSTRUCTIONS;
#endif
}

/* Does this machine have AVX2 with FMA? */
static inline bool spmv__use_avx2(void)
{
    return spmv__best_instructions() >= SPMV__AVX2;
}

/* ---- Output --------------------------------------------------------------------------------- */

/* y = alpha (sum + add) + beta y */
typedef struct spmv__output {
    spmv_type type; /* of y */
    spmv_scalar alpha, beta;
    const double *add; /* [rows] sums, or NULL for nothing */
    void *y;           /* [rows], read only when beta != 0 */
} spmv__output;

/* Write n rows: first .. first + n - 1, or perm[first] .. perm[first + n - 1] when perm is given.
 * sum is [n] sums and may be changed. */
void spmv__output_sums(const spmv__output *out, const int32_t *perm, int64_t first, int64_t n,
                       double *sum);

/* ---- Entries row after row ------------------------------------------------------------------ */

typedef struct spmv__entries {
    spmv_type type;
    int64_t rows, nnz;
    const int64_t *row_ptr;   /* [rows + 1], or NULL: */
    const int32_t *row_ptr32; /* the same, or NULL: */
    const int64_t *row_idx;   /* [nnz] ascending (COO) */
    int64_t base;             /* what row pointers and columns count from */
    bool wide;                /* columns have 64 bits, else 32 */
    const void *col_idx;
    const void *val;
} spmv__entries;

static inline bool spmv__has_row_ptr(const spmv__entries *A)
{
    return A->row_ptr != NULL || A->row_ptr32 != NULL;
}

/* Where row r begins, or for r = rows the last one ends; of entries that have row pointers. */
static inline int64_t spmv__row_begin(const spmv__entries *A, int64_t r)
{
    return (A->row_ptr != NULL ? A->row_ptr[r] : (int64_t)A->row_ptr32[r]) - A->base;
}

/* Where x would begin for columns that count from 0; number `base` is the first that is read. */
static inline const void *spmv__before(const void *x, int64_t base, int64_t bytes)
{
    return (const void *)((uintptr_t)x - (uintptr_t)(base * bytes));
}

static inline spmv__entries spmv__csr_entries(const spmv_csr *A)
{
    return (spmv__entries){.type = A->type,
                           .rows = A->rows,
                           .nnz = A->nnz,
                           .row_ptr = A->row_ptr,
                           .col_idx = A->col_idx,
                           .val = A->val};
}

static inline spmv__entries spmv__coo_entries(const spmv_coo *A)
{
    return (spmv__entries){.type = A->type,
                           .rows = A->rows,
                           .nnz = A->nnz,
                           .row_idx = A->row_idx,
                           .wide = true,
                           .col_idx = A->col_idx,
                           .val = A->val};
}

void spmv__entries_multiply(const spmv__entries *A, spmv_type x_type, const void *x,
                            const spmv__output *out, int threads);

/* Walking the matrix takes one step per nonzero and one per end of a row; here all rows before
 * `row` are complete and all entries before `pos` are summed. */
typedef struct spmv__cut {
    int64_t row, pos;
} spmv__cut;

/* Of entries that have row pointers: where each of the rows first .. first + n - 1 begins, and
 * where the last one ends.  Returns the row pointers themselves where they say so, else start,
 * filled; start is [n + 1]. */
const int64_t *spmv__row_starts(const spmv__entries *A, int64_t first, int64_t n, int64_t *start);

/* The number of pieces of equal length that the walk is cut into, at most SPMV__PIECES, and where
 * piece k begins, or for k = pieces the last one ends. */
enum { SPMV__PIECES = 256 };
_Static_assert(SPMV__SPMM_SCRATCH >= SPMV__PIECES * 4, "two sums of two parts for each piece");
int spmv__pieces(const spmv__entries *A);
spmv__cut spmv__cut_at(const spmv__entries *A, int k, int pieces);

/* Of a part of a matrix, some of its rows in CSR, with step [rows] of all `whole` before each row,
 * which ascend: where the part begins, the cuts of the whole matrix within its rows, and where it
 * ends, so that its sums are those of the whole.  Returns the number of pieces; cuts is
 * [SPMV__PIECES + 1]. */
int spmv__part_cuts(spmv__cut *cuts, const spmv__entries *part, const int64_t *step, int64_t whole);

/* The cuts of a matrix of `whole` steps within one of its rows, which has `step` steps before it:
 * cut [SPMV__PIECES] becomes the entries of the row before each.  Returns how many there are. */
int spmv__cuts_in_row(int64_t *cut, int64_t step, int64_t length, int64_t whole);

/* Sum i = sum of val[p] x[col_idx[p]], start[i] <= p < start[i + 1], for 0 <= i < n. */
typedef void (*spmv__row_sums)(const int64_t *start, int64_t n, const void *col_idx,
                               const void *val, const void *x, double *sum);

/* The kernel for values, vector and columns of the given types; NULL for a combination that does
 * not multiply, and when it asks for AVX2 that this build does not have. */
spmv__row_sums spmv__row_sums_for(spmv_type type, spmv_type x_type, bool columns_64_bit, bool avx2);

/* Write the rows that lie in one piece.  *head: sum of the first row that it completes, *tail: of
 * what it holds of the row that it leaves unfinished. */
void spmv__walk_piece(const spmv__entries *A, spmv__row_sums sums, spmv__cut from, spmv__cut to,
                      const void *x, const spmv__output *out, spmv_scalar *head, spmv_scalar *tail);

/* Add up the rows that pieces share, and write them. */
void spmv__combine_pieces(const spmv__cut *cuts, const spmv_scalar *head, const spmv_scalar *tail,
                          int pieces, const spmv__output *out);

/* ---- Several vectors, stored by rows --------------------------------------------------------- */

/* The type of the real and imaginary parts of numbers of this type. */
static inline spmv_type spmv__part_type(spmv_type type)
{
    return type == SPMV_C128 ? SPMV_F64 : type == SPMV_C64 ? SPMV_F32 : type;
}

/* Sum k of row i, sum[i * step + k] = sum of val[p] x[col_idx[p] * stride + k], start[i] <= p <
 * start[i + 1], for 0 <= i < n and 0 <= k < the width.  Elements of x and sums are real numbers,
 * two for a complex one. */
typedef void (*spmv__spmm_sums)(const int64_t *start, int64_t n, const void *col_idx,
                                const void *val, const void *x, int64_t stride, double *sum,
                                int64_t step);

/* [SPMV__SPMM_WIDTHS] kernels of the widths 1, 2, 4, ... for x of a real type; with complex values
 * the width must be even. */
enum { SPMV__SPMM_WIDTHS = 5 };
const spmv__spmm_sums *spmv__spmm_sums_for(spmv_type type, spmv_type x_type, bool columns_64_bit,
                                           spmv__instructions set);

/* y = alpha A x + beta y; A has row pointers.  scratch is that of the spmm member of a record. */
void spmv__entries_spmm(const spmv__entries *A, spmv_scalar alpha, const spmv_dense *x,
                        spmv_scalar beta, const spmv_dense *y, double *scratch, int threads);

/* ---- Diagonals: the k-th entries of all rows together --------------------------------------- */

/* Entry k of (sorted) row i sits at start(k) + i, and start(k + 1) - start(k) rows, never more
 * than for k - 1, have an entry k. */
typedef struct spmv__diagonals {
    spmv_type type;
    int64_t rows, diags;
    const int64_t *diag_ptr; /* [diags + 1], the starts; NULL: start(k) = k rows */
    const int32_t *col_idx;  /* -1 is padding */
    const void *val;
    const int32_t *perm; /* sorted row i is row perm[i]; NULL: row i */
} spmv__diagonals;

static inline spmv__diagonals spmv__ell_diagonals(const spmv_ell *A)
{
    return (spmv__diagonals){
        .type = A->type, .rows = A->rows, .diags = A->width, .col_idx = A->col_idx, .val = A->val};
}

void spmv__diagonals_multiply(const spmv__diagonals *A, spmv_type x_type, const void *x,
                              const spmv__output *out, int threads);

/* Sum i += val[p] x[col_idx[p]], p = k * stride + i, for 0 <= i < n and k = 0 .. steps - 1 in this
 * order, leaving out padding (value 0, column < 0). */
typedef void (*spmv__diagonal_add)(int64_t n, int64_t steps, int64_t stride, const int32_t *col_idx,
                                   const void *val, const void *x, double *sum);

spmv__diagonal_add spmv__diagonal_add_for(spmv_type type, spmv_type x_type, bool avx2);

/* ---- Formats with a multiplication in a file of its own ---------------------------------------
 */

/* Each is a spmv__cpu_multiply. */
void spmv__csc_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                        const void *x, spmv_scalar beta, void *y, double *scratch, int threads);
void spmv__sell_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                         const void *x, spmv_scalar beta, void *y, double *scratch, int threads);

/* ---- Types ---------------------------------------------------------------------------------- */

/* Column of entry p, of 64 bits or 32. */
SPMV__INLINE int64_t spmv__entry_column(bool wide, const void *col_idx, int64_t p)
{
    return wide ? ((const int64_t *)col_idx)[p] : ((const int32_t *)col_idx)[p];
}

/* Bytes of a value that is stored, which the compiler knows where it knows the type. */
SPMV__INLINE int64_t spmv__value_size(spmv_type type)
{
    const int64_t part = spmv__part_type(type) == SPMV_F64 ? sizeof(double) : sizeof(float);
    return part * spmv__parts(type);
}

/* Ask for what lies `bytes` bytes after the beginning of an array, perhaps beyond its end. */
SPMV__INLINE void spmv__prefetch(const void *array, int64_t bytes)
{
#ifdef __GNUC__
    __builtin_prefetch((const void *)((uintptr_t)array + (uintptr_t)bytes));
#else
    (void)array, (void)bytes;
#endif
}

/* Ask for the entries that lie half a page after entry p, of which there may be none: what the
 * processor foresees by itself comes too late. */
SPMV__INLINE void spmv__look_ahead(spmv_type type, bool wide, const void *col_idx, const void *val,
                                   int64_t p)
{
    enum { AHEAD = 2048 };
    const int64_t column = wide ? sizeof(int64_t) : sizeof(int32_t);
    spmv__prefetch(col_idx, p * column + AHEAD);
    if (type != SPMV_PATTERN) spmv__prefetch(val, p * spmv__value_size(type) + AHEAD);
}

/* Sum number i += v x, given the types that the numbers come from.  A complex product is that of
 * the parts: one that is infinite may make the other part NaN, as in all such libraries. */
SPMV__INLINE void spmv__add_product(spmv_type type, spmv_scalar v, spmv_type x_type, spmv_scalar x,
                                    double *sum, int64_t i)
{
    if (!spmv_type_is_complex(x_type)) {
        sum[i] += v.re * x.re;
    } else if (!spmv_type_is_complex(type)) {
        sum[2 * i] += v.re * x.re;
        sum[2 * i + 1] += v.re * x.im;
    } else {
        const spmv_scalar product = spmv__complex_product(v, x);
        sum[2 * i] += product.re;
        sum[2 * i + 1] += product.im;
    }
}
