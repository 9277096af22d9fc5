/* format.h -- the record of a storage format, and what all formats share. */
#pragma once

#include "core/base/base.h"
#include "core/base/meter.h"

typedef enum spmv__element { SPMV__I32, SPMV__I64, SPMV__VALUE } spmv__element;

/* What the elements of an array are for.  A product reads x, and other arrays, through offsets and
 * indices; a wrong one makes a wrong number or a fault that can be caught.  Targets lead to where
 * something is written (also the offsets of JDS, from which the number of rows of a diagonal
 * follows, and of CSC, which find rows beyond the checked ones) or to the code that runs. */
typedef enum spmv__role { SPMV__OFFSETS, SPMV__INDICES, SPMV__TARGETS, SPMV__VALUES } spmv__role;

/* One array of a format.  From these rows follow destroying, copying, counting bytes, converting
 * values, binary files, what is copied out of them, and the way to the GPU and back. */
typedef struct spmv__array {
    const char *name; /* "row_ptr"; parts of HYB: "ell.col_idx" */
    size_t offset;    /* of its pointer in spmv_matrix */
    spmv__role role;
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

/* Everything about a format: one record a file, and one line in the table of format.c. */
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
    spmv_status (*from_csr)(spmv_matrix *out, const spmv_csr *A, const spmv_convert_options *build,
                            spmv__meter *meter, spmv_error *err);
    /* Head and parameters, without arrays, of what from_csr makes whatever the limit of the fill,
     * and the slots that count there; NULL: all follows from the head, and nothing is padded. */
    spmv_status (*plan)(spmv_matrix *out, double *filled, const spmv_csr *A,
                        const spmv_convert_options *build, spmv_error *err);
    /* The same for a matrix with far more rows than entries, from the lengths of its rows; out is
     * blank.  NULL where these do not tell. */
    spmv_status (*plan_sparse)(spmv_matrix *out, double *filled, const spmv_row_stats *rows,
                               const spmv_convert_options *build, spmv_error *err);
    int walks; /* of from_csr over all entries, each of which is told to the meter */
    /* A shorter way to CSR than through `each`, in SPMV__TO_CSR_WALKS; may be NULL. */
    spmv_status (*to_csr)(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err);
    /* Set the values of padding to 0; NULL where there is none. */
    void (*clear_padding)(spmv_matrix *A);
    /* Visit every stored entry, in an order in which the columns of each row ascend. */
    void (*each)(const spmv_matrix *A, spmv__visit visit, void *user);
    spmv_scalar (*get)(const spmv_matrix *A, int64_t row, int64_t col); /* indices are in range */
    spmv__cpu_multiply multiply;
    /* Multiply vectors that are stored by rows, with a scratch for each; NULL where the format has
     * no such multiplication. */
    void (*spmm)(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x, spmv_scalar beta,
                 const spmv_dense *y, double *scratch, int threads);
    bool scratch;               /* multiply needs its scratch */
    const char *kernel;         /* name of the CPU kernel: "cpu-csr" */
    const char *kernel_summary; /* its one line in --list-kernels */
} spmv__format;

extern const spmv__format spmv__coo_format, spmv__csr_format, spmv__csc_format, spmv__ell_format,
    spmv__hyb_format, spmv__jds_format, spmv__sell_format, spmv__csell_format, spmv__bsr_format;

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

/* Check that head and parameters are possible: known format, type and symmetry, nothing negative,
 * shape within the format's limits, square unless GENERAL. Errors: INVALID_FORMAT (no such
 * enumerator), INVALID_DIMENSION. */
spmv_status spmv__check_head(const spmv_matrix *A, spmv_error *err);

/* Check that no array is missing that has elements, and no size is negative; O(1).  Errors:
 * INVALID_ARGUMENT. */
spmv_status spmv__check_arrays(const spmv_matrix *A, spmv_error *err);

/* The same of a matrix that may be NULL, which messages call `name`: for functions that are not
 * public, and so do not have the name of what was called.  Errors: INVALID_ARGUMENT. */
spmv_status spmv__check_given(const spmv_matrix *A, const char *name, spmv_error *err);

/* Check that the entries of a matrix are all of it: it is GENERAL.  Where there are several, `name`
 * says which it is: "A", "the mask".  Errors: UNSUPPORTED. */
spmv_status spmv__check_named_whole(spmv_symmetry symmetry, const char *name, spmv_error *err);
static inline spmv_status spmv__check_whole(spmv_symmetry symmetry, spmv_error *err)
{
    return spmv__check_named_whole(symmetry, "the matrix", err);
}

/* Check that a matrix may be a graph.  Errors: INVALID_DIMENSION. */
spmv_status spmv__check_square(int64_t rows, int64_t cols, spmv_error *err);

/* Leave a public function at once that is given no matrix, or one without format or arrays. */
#define SPMV__REQUIRE_MATRIX(A, err)                           \
    do {                                                       \
        SPMV__REQUIRE(A != NULL, err);                         \
        const spmv_status there_ = spmv__check_arrays(A, err); \
        if (there_ != SPMV_SUCCESS) return there_;             \
    } while (0)

/* Allocate the arrays of A, all zero, in the sizes that its format, head and parameters ask for.
 * On failure A is left empty.  Errors: those of spmv__check_head, OUT_OF_MEMORY (also, before
 * anything is allocated, when all arrays together exceed the machine's memory). */
spmv_status spmv__allocate(spmv_matrix *A, spmv_error *err);

/* Copy head, parameters and arrays. */
spmv_status spmv__copy(spmv_matrix *out, const spmv_matrix *A, spmv_error *err);

/* The transpose of A, which is in CSR or CSC, in the other one of the two.  Its arrays are those of
 * A: only one of the two may be destroyed. */
spmv_matrix spmv__relabel(const spmv_matrix *A);

/* Returns whether an entry may be stored at (row, col): inside the matrix, and inside the triangle
 * unless it is GENERAL. */
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

/* The first of the ascending idx[begin .. end) that is `wanted` or more, or end. */
static inline int64_t spmv__find_first(const int32_t *idx, int64_t begin, int64_t end,
                                       int64_t wanted)
{
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (idx[middle] < wanted)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Position of `wanted` among the ascending idx[begin .. end), or -1. */
int64_t spmv__find_i32(const int32_t *idx, int64_t begin, int64_t end, int64_t wanted);

/* The first of the ascending ptr[0 .. n) that is `wanted` or more, or n. */
int64_t spmv__find_offset(const int64_t *ptr, int64_t n, int64_t wanted);

/* ptr is [n + 1] with ptr[0] == 0 and count i in ptr[i + 1]: replace the counts by their running
 * sum, so that group i takes places ptr[i] .. ptr[i + 1] - 1. */
void spmv__counts_to_offsets(int64_t *ptr, int64_t n);

/* Returns whether there are so many more rows than entries that a pointer for each row would take
 * most of the memory.  Work is then done in the space of the entries. */
static inline bool spmv__is_hypersparse(int64_t rows, int64_t entries)
{
    return rows / 8 > entries;
}

/* Returns whether that is worth a difference: up to a million pointers are soon there. */
static inline bool spmv__has_too_many_rows(int64_t rows, int64_t entries)
{
    return rows > (int64_t)1 << 20 && spmv__is_hypersparse(rows, entries);
}

/* Make n slots padding: the columns of ELL and SELL before they are filled. */
static inline void spmv__clear_columns(int32_t *col_idx, int64_t n)
{
    /* All bits set is -1 in two's complement. */
    if (n > 0) memset(col_idx, 0xff, (size_t)n * sizeof *col_idx);
}
