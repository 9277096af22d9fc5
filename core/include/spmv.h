/* spmv.h -- the public interface of libspmv: sparse matrices from file to answer.
 *
 * Order of the chapters: status, types, matrices, building and converting, looking inside,
 * vectors, kernels and choosing one, contexts and multiplication, files, generators, PageRank.
 *
 * Conventions
 *   - Every function that can fail returns spmv_status and takes, last, an spmv_error that may be
 *     NULL.  On failure outputs hold nothing that needs releasing, and nothing is half-built.
 *   - Counts and offsets are int64_t, column indices int32_t with a checked limit, base 0.
 *   - Matrices on the host are open structs: read them freely.  What lives on a GPU is opaque.
 *   - Copying a struct never copies ownership; each has one owner and one destroy call, and every
 *     destroy accepts an empty (all zero) or NULL argument.
 *   - The library never prints, exits, or reads arguments or the environment.
 *   - Threads are those of OpenMP, SPMV_MAX_THREADS at most whatever is asked for.  OpenMP itself
 *     reads the environment, and ends the process where a thread cannot be started.
 *   - fork() copies none of them: with GCC's OpenMP a child waits forever for threads that its
 *     parent had.  Fork before the first call, or let the parent call
 *     omp_pause_resource_all(omp_pause_hard) just before it forks, or let the child exec. */
#ifndef SPMV_H
#define SPMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPMV_VERSION "0.1.0"

enum { SPMV_MAX_THREADS = 4096 };

/* ---- Status --------------------------------------------------------------------------------- */

/* X(name, code, exit status of a tool that stops on it, meaning) */
#define SPMV_STATUS_TABLE(X)                                                              \
    X(SPMV_SUCCESS, 0, 0, "success")                                                      \
    X(SPMV_ERROR_INVALID_DIMENSION, -1, 3, "dimensions do not match or are out of range") \
    X(SPMV_ERROR_CUDA_MALLOC, -2, 5, "out of device memory")                              \
    X(SPMV_ERROR_CUDA_MEMCPY, -3, 6, "copying to or from the GPU failed")                 \
    X(SPMV_ERROR_KERNEL_LAUNCH, -4, 6, "a GPU kernel failed")                             \
    X(SPMV_ERROR_INVALID_FORMAT, -5, 3, "input is not valid for its format")              \
    X(SPMV_ERROR_FILE_IO, -6, 4, "reading or writing failed")                             \
    X(SPMV_ERROR_OUT_OF_MEMORY, -7, 5, "out of memory")                                   \
    X(SPMV_ERROR_INVALID_ARGUMENT, -8, 2, "invalid argument")                             \
    X(SPMV_ERROR_UNSUPPORTED, -9, 3, "valid input that is not supported")                 \
    X(SPMV_ERROR_NO_DEVICE, -10, 6, "no usable GPU")

typedef enum spmv_status {
#define X(name, code, exit_status, meaning) name = code,
    SPMV_STATUS_TABLE(X)
#undef X
} spmv_status;

/* Where and why a call failed.  The caller owns it; it holds no pointers. */
typedef struct spmv_error {
    int64_t line;      /* 1-based line of the input, 0 if not about a line */
    int64_t column;    /* 1-based byte in that line, 0 if not known */
    char file[256];    /* as the caller named it, "" if not about a file */
    char message[256]; /* one sentence, no newline, "" when there was no error */
} spmv_error;

const char *spmv_error_string(spmv_status status); /* the meaning above; never NULL */
const char *spmv_status_name(spmv_status status);  /* "SPMV_SUCCESS", ...; never NULL */
int spmv_exit_status(spmv_status status);          /* what a tool that stops on it exits with */

/* ---- Types ---------------------------------------------------------------------------------- */

/* Type of the stored values.  A pattern stores none: each entry counts as 1.  A complex value is
 * two floats or doubles, the real part first: the layout of complex numbers in C, C++ and Fortran.
 */
typedef enum spmv_type {
    SPMV_PATTERN = 0,
    SPMV_F32 = 1,
    SPMV_F64 = 2,
    SPMV_C64 = 3,
    SPMV_C128 = 4,
    SPMV_TYPES /* how many there are */
} spmv_type;

size_t spmv_type_size(spmv_type type);      /* bytes of one value: 0, 4, 8, 8, 16 */
const char *spmv_type_name(spmv_type type); /* "pattern", "f32", "f64", "c64", "c128" */

static inline bool spmv_type_is_complex(spmv_type type)
{
    return type == SPMV_C64 || type == SPMV_C128;
}

/* Do matrices of a type multiply vectors of another?  Patterns multiply all, real types the complex
 * one of their precision too, and f32 also f64. */
bool spmv_type_multiplies(spmv_type type, spmv_type vector_type);

/* One number of any type; im is 0 where the type is not complex. */
typedef struct spmv_scalar {
    double re, im;
} spmv_scalar;

/* What the stored entries stand for.  Anything but GENERAL holds one triangle and is refused by
 * multiplication: see spmv_expand. */
typedef enum spmv_symmetry {
    SPMV_GENERAL = 0,
    SPMV_SYMMETRIC = 1, /* A^T = A: lower triangle with diagonal */
    SPMV_SKEW = 2,      /* A^T = -A: strictly lower triangle; not for a pattern */
    SPMV_HERMITIAN = 3, /* A^H = A: lower triangle with diagonal, which is real; complex only */
    SPMV_SYMMETRIES     /* how many there are */
} spmv_symmetry;

/* ---- Matrices ------------------------------------------------------------------------------- */

/* Memory that arrays may live in when they are not malloc'ed one by one: a mapped file, or that of
 * a GPU. */
typedef struct spmv_storage {
    void (*release)(struct spmv_storage *self);
} spmv_storage;

/* Every format begins with these members. */
#define SPMV_MATRIX_HEAD                                              \
    spmv_type type;         /* of the values */                       \
    spmv_symmetry symmetry; /* of the stored entries */               \
    int64_t rows, cols;     /* >= 0 */                                \
    int64_t nnz;            /* stored entries, padding not counted */ \
    spmv_storage *storage   /* NULL: each array is malloc'ed; else it owns them all */

typedef struct spmv_head {
    SPMV_MATRIX_HEAD;
} spmv_head;

/* Coordinates.  Once built: ascending by row, then column, no coordinate twice.  The only format
 * whose columns may exceed 32 bits. */
typedef struct spmv_coo {
    SPMV_MATRIX_HEAD;
    int64_t *row_idx; /* [nnz] */
    int64_t *col_idx; /* [nnz] */
    void *val;        /* [nnz], NULL for a pattern */
} spmv_coo;

/* Compressed rows. */
typedef struct spmv_csr {
    SPMV_MATRIX_HEAD;
    int64_t *row_ptr; /* [rows + 1], row_ptr[0] == 0, row_ptr[rows] == nnz */
    int32_t *col_idx; /* [nnz], ascending within a row */
    void *val;        /* [nnz], NULL for a pattern */
} spmv_csr;

/* Compressed columns. */
typedef struct spmv_csc {
    SPMV_MATRIX_HEAD;
    int64_t *col_ptr; /* [cols + 1], col_ptr[0] == 0, col_ptr[cols] == nnz */
    int32_t *row_idx; /* [nnz], ascending within a column */
    void *val;        /* [nnz], NULL for a pattern */
} spmv_csc;

/* ELLPACK: every row padded to the same width; entry k of row r sits at k * rows + r. */
typedef struct spmv_ell {
    SPMV_MATRIX_HEAD;
    int64_t width;    /* of the longest row, or more */
    int32_t *col_idx; /* [width * rows], column-major; padding (always last in its row) is -1 */
    void *val;        /* [width * rows], padding is 0; NULL for a pattern */
} spmv_ell;

/* Hybrid: the first `ell.width` entries of each row in ELL, the rest in COO.  Both parts have the
 * shape, type and symmetry of the whole; nnz is the sum of theirs. */
typedef struct spmv_hyb {
    SPMV_MATRIX_HEAD;
    spmv_ell ell;
    spmv_coo coo;
} spmv_hyb;

/* Jagged diagonals: rows sorted by falling length (equal lengths keep their order), entry k of
 * sorted row i at diag_ptr[k] + i. */
typedef struct spmv_jds {
    SPMV_MATRIX_HEAD;
    int64_t diags;     /* the longest row */
    int32_t *perm;     /* [rows], perm[i] = original row of sorted row i */
    int64_t *diag_ptr; /* [diags + 1], diagonal k holds the rows with more than k entries */
    int32_t *col_idx;  /* [nnz] */
    void *val;         /* [nnz], NULL for a pattern */
} spmv_jds;

/* Sliced ELL (SELL-C-sigma): rows sorted by falling length (equal lengths keep their order) within
 * windows, then cut into slices of `slice` rows, the last one filled up with empty ones.  Entry k
 * of lane i of slice s, which is sorted row s * slice + i, sits at slice_ptr[s] + k * slice + i. */
enum { SPMV_SELL_SLICE = 1 << 20 }; /* rows in a slice, at most */
typedef struct spmv_sell {
    SPMV_MATRIX_HEAD;
    int64_t slice;  /* rows in a slice (C) */
    int64_t window; /* rows sorted together (sigma): 1, for none, or whole slices */
    int64_t slots;  /* entries and padding */
    int32_t *perm;  /* [rows], perm[i] = original row of sorted row i; unused when window == 1 */
    int64_t *slice_ptr; /* [rows / slice rounded up + 1] */
    int32_t *col_idx;   /* [slots], padding (always last in its row) is -1 */
    void *val;          /* [slots], padding is 0; NULL for a pattern */
} spmv_sell;

/* Sliced ELL with compressed columns: rows sorted and cut as in SELL, but each slice keeps its
 * columns in the form that takes the fewest bytes, words code_ptr[s] .. code_ptr[s + 1] - 1 of
 * `code`.  The slots of a slice are its steps, `slice` lanes each: step k of lane i sits at
 * slice_ptr[s] + k * slice + i.  So that an access is aligned, and bits can be taken eight at a
 * time, words without a meaning fill up some forms; they are 0. */
enum { SPMV_CSELL_LANES = 32, SPMV_CSELL_SLICE = 1024 }; /* a slice is so many lanes, at most */
typedef enum spmv_csell_encoding {
    /* [steps * slice] columns; -1 is padding, always last in its row. */
    SPMV_CSELL_FAR = 0,
    /* [steps / 2 rounded up * slice] words: step 2 j in the low half of word j * slice + i, step
     * 2 j + 1 in the high half, each column - base; 0xffff is padding.  Then base, and 7 words. */
    SPMV_CSELL_NEAR,
    /* [steps rounded up to 8] column - row, ascending, the same in all lanes; no padding. */
    SPMV_CSELL_DIAGONAL,
    /* The same and then, 4 in a word, the lowest first, [steps / 8 rounded up * slice] bytes: bit b
     * of byte j * slice + i says that step 8 j + b of lane i is an entry. */
    SPMV_CSELL_DIAGONAL_MASKED,
    /* Like these two, with the column itself instead of column - row. */
    SPMV_CSELL_COLUMN,
    SPMV_CSELL_COLUMN_MASKED,
    /* Blocks of b = 2 or 3 rows that begin at a multiple of b, and b columns side by side; rows are
     * not sorted, the steps a multiple of b.  G = slice / b + 2, rounded up to even, are the blocks
     * of rows that a slice can touch.  [steps / b * G] halves of words, the low one first: half
     * j * G + g is the first column, in step b j, - base for block number g of those that the slice
     * touches, or 0xffff, always last in its block, and where the slice touches no more.  As many
     * words as fill up eight, then base, and 7 words. */
    SPMV_CSELL_BLOCK2,
    SPMV_CSELL_BLOCK3,
    SPMV_CSELL_ENCODINGS /* how many there are */
} spmv_csell_encoding;
typedef struct spmv_csell {
    SPMV_MATRIX_HEAD;
    int64_t slice;      /* rows in a slice, a multiple of SPMV_CSELL_LANES */
    int64_t window;     /* as in SELL */
    int64_t slots;      /* entries and padding */
    int64_t words;      /* of code */
    int32_t *perm;      /* [rows] as in SELL; unused when window == 1 */
    int32_t *encoding;  /* [rows / slice rounded up] one of the above */
    int64_t *code_ptr;  /* [rows / slice rounded up + 1] */
    int32_t *code;      /* [words] */
    int64_t *slice_ptr; /* [rows / slice rounded up + 1] */
    void *val;          /* [slots], padding is 0; NULL for a pattern */
} spmv_csell;

/* X(enumerator, name, what it is) -- the name is also that of the struct, spmv_<name>, of the file
 * suffix, and of the functions below. */
#define SPMV_FORMAT_TABLE(X)                                                   \
    X(SPMV_COO, coo, "coordinates, sorted by row")                             \
    X(SPMV_CSR, csr, "compressed rows")                                        \
    X(SPMV_CSC, csc, "compressed columns")                                     \
    X(SPMV_ELL, ell, "ELLPACK, rows padded to one width")                      \
    X(SPMV_HYB, hyb, "ELLPACK of a chosen width, the overflow as coordinates") \
    X(SPMV_JDS, jds, "jagged diagonals, rows sorted by length")                \
    X(SPMV_SELL, sell, "sliced ELLPACK, rows sorted by length in windows")     \
    X(SPMV_CSELL, csell, "sliced ELLPACK, columns in the fewest bytes")

typedef enum spmv_format {
#define X(id, name, meaning) id,
    SPMV_FORMAT_TABLE(X)
#undef X
        SPMV_FORMATS /* how many there are */
} spmv_format;

/* A matrix in any format. */
typedef struct spmv_matrix {
    spmv_format format;
    union {
        spmv_head head;
#define X(id, name, meaning) spmv_##name name;
        SPMV_FORMAT_TABLE(X)
#undef X
    };
} spmv_matrix;

const char *spmv_format_name(spmv_format format);          /* "csr" */
bool spmv_format_find(const char *name, spmv_format *out); /* false: no such format */

/* ---- Building and converting ---------------------------------------------------------------- */

/* Allocate arrays of the given sizes, all zero (ELL and SELL columns: -1).  Fill them, then
 * spmv_check.  ELL, SELL, CSELL and the ELL part of HYB begin without entries: add to `nnz`, and to
 * `ell.nnz` of HYB, what is put there.
 * Errors: INVALID_DIMENSION (negative, or more than the format's indices address: 2^31 - 1 columns,
 * for CSC, JDS, SELL and CSELL 2^31 - 1 rows), INVALID_FORMAT (no such type), OUT_OF_MEMORY. */
spmv_status spmv_coo_create(spmv_coo *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_csr_create(spmv_csr *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_csc_create(spmv_csc *out, spmv_type type, int64_t rows, int64_t cols, int64_t nnz,
                            spmv_error *err);
spmv_status spmv_ell_create(spmv_ell *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t width, spmv_error *err);
spmv_status spmv_hyb_create(spmv_hyb *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t ell_width, int64_t coo_nnz, spmv_error *err);
spmv_status spmv_jds_create(spmv_jds *out, spmv_type type, int64_t rows, int64_t cols,
                            int64_t diags, int64_t nnz, spmv_error *err);
spmv_status spmv_sell_create(spmv_sell *out, spmv_type type, int64_t rows, int64_t cols,
                             int64_t slice, int64_t window, int64_t slots, spmv_error *err);
spmv_status spmv_csell_create(spmv_csell *out, spmv_type type, int64_t rows, int64_t cols,
                              int64_t slice, int64_t window, int64_t slots, int64_t words,
                              spmv_error *err);

void spmv_destroy(spmv_matrix *A); /* releases the arrays and clears *A */

/* What to do with a coordinate that is given more than once. */
typedef enum spmv_duplicates {
    SPMV_DUPLICATES_SUM = 0,
    SPMV_DUPLICATES_FIRST,
    SPMV_DUPLICATES_LAST,
    SPMV_DUPLICATES_ERROR,
    SPMV_DUPLICATES_COUNT /* the sum; a pattern that has any becomes f64, each entry being 1 */
} spmv_duplicates;

/* Bring unordered coordinates into the order that COO promises, in place.
 *
 *   A          its indices may be in any order, but must lie inside rows x cols; its arrays must
 *              be writable, and keep their size when entries go away
 *   duplicates what becomes of equal coordinates (sums in double precision, in the order given;
 *              in a pattern they simply merge)
 *   merged     how many entries went away; may be NULL
 *
 * Errors: INVALID_DIMENSION (an index is outside; err->line is the 1-based entry),
 * INVALID_FORMAT (a duplicate under SPMV_DUPLICATES_ERROR), INVALID_ARGUMENT (among others
 * SPMV_DUPLICATES_COUNT where A->storage owns the arrays), OUT_OF_MEMORY.  On failure A holds the
 * same entries in some order; with INVALID_FORMAT it is the promised one but for the duplicates.
 * Time O(nnz) (radix sort), scratch 16 bytes and a value per entry. */
spmv_status spmv_coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                          spmv_error *err);

/* How far long work has come. */
typedef struct spmv_progress {
    const char *stage;   /* "reading", "unpacking", "parsing", "sorting", "checking", "converting",
                            "transposing", "expanding", "dropping", "writing", "ranking" */
    int64_t done, total; /* bytes, iterations; total 0: not known, else an estimate or exact */
} spmv_progress;

/* Called now and then, some megabytes or an iteration apart; by any thread, but never by two at
 * once.  It must be quick, and must not call the library. */
typedef void spmv_progress_callback(void *user, const spmv_progress *progress);

/* How to build the formats that leave a choice.  All zero is the default. */
typedef struct spmv_convert_options {
    int64_t ell_width;   /* at least this wide (0: the longest row) */
    int64_t hyb_width;   /* ELL part of HYB (0: the largest k such that a third of the rows have k
                            entries or more; -1: none) */
    int64_t sell_slice;  /* rows in a slice of SELL (0: 32), and of CSELL, which rounds them up to
                            lanes and has SPMV_CSELL_SLICE at most (0: 128, but 32 where rows are
                            sorted) */
    int64_t sell_window; /* rows of SELL and CSELL sorted together (0: none where a tenth of the
                            slots at most is padding, or CSELL is smaller so, else 128 slices;
                            1: none) */
    double max_fill;     /* refuse ELL, SELL, CSELL or an ELL part of HYB beyond this many slots per
                            nonzero     (0: 10, but never refuse up to 2^20 slots) */
    spmv_progress_callback *progress; /* in bytes; NULL: nobody is told */
    void *user;                       /* for progress */
} spmv_convert_options;

/* Convert to another format (or copy, when it is the same and there is nothing to choose).
 *
 *   out    must not be A
 *   build  may be NULL: the defaults
 *
 * Values keep their bits, explicit zeros and symmetry stay.  The result is the same for every
 * number of threads.
 * Errors: INVALID_DIMENSION (too many rows or columns for the format), OUT_OF_MEMORY,
 * UNSUPPORTED (padding beyond the limit; the message names HYB and JDS), INVALID_ARGUMENT
 * (a width, slice, window or limit that is not possible).  Time O(nnz + rows + cols). */
spmv_status spmv_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                         const spmv_convert_options *build, spmv_error *err);

/* Convert the values.  Double to single precision rounds to nearest; real -> complex adds imaginary
 * parts of 0; anything -> pattern drops the values (and what was SKEW or HERMITIAN becomes
 * SYMMETRIC, a pattern having no signs); pattern -> anything stores 1.
 * Errors: INVALID_FORMAT (no such type), UNSUPPORTED (complex -> real: see spmv_take_complex_part),
 * OUT_OF_MEMORY.  What single precision cannot hold: see spmv_single_losses. */
spmv_status spmv_convert_values(spmv_matrix *out, const spmv_matrix *A, spmv_type type,
                                spmv_error *err);

/* The type of fewest bytes in which A multiplies vectors of a type and loses nothing: SPMV_PATTERN
 * where all values are 1, SPMV_F32 where single precision holds each of them and the vectors are
 * f32 or f64.  Where nothing is without loss, the one that loses least.  Products are the same, bit
 * for bit, as with the values that A has.  Time O(nnz) at most: it ends at the first value that
 * does not fit. */
spmv_type spmv_smallest_type(const spmv_matrix *A, spmv_type vector_type);

typedef enum spmv_complex_part { /* what to make of complex values */
                                 SPMV_COMPLEX_KEEP = 0,
                                 SPMV_COMPLEX_REAL,
                                 SPMV_COMPLEX_IMAG,
                                 SPMV_COMPLEX_ABS
} spmv_complex_part;

/* Make complex values real ones of the same precision: their real parts, their imaginary parts, or
 * their absolute values.  out is in the format of A, ELL and HYB take their default widths; a
 * matrix that is not complex is copied, and so is any under KEEP.  Parts that are 0 stay stored.
 * Of a HERMITIAN matrix the real part and the absolute value are SYMMETRIC, and the imaginary part
 * is SKEW, without the diagonal; the absolute value of a SKEW one is SYMMETRIC.
 * Errors: INVALID_ARGUMENT (no such part), those of spmv_convert.  Time as there. */
spmv_status spmv_take_complex_part(spmv_matrix *out, const spmv_matrix *A, spmv_complex_part part,
                                   spmv_error *err);

/* The following make a matrix in the format of A, built as `build` says, which may be NULL: the
 * defaults.  What is only copied is built as A is. */

/* out = A^T.  A stored triangle stays the lower one: SYMMETRIC is copied, SKEW negated, HERMITIAN
 * conjugated.
 * Errors: those of spmv_convert to CSC and back.  Time O(nnz + rows + cols), COO O(nnz). */
spmv_status spmv_transpose(spmv_matrix *out, const spmv_matrix *A,
                           const spmv_convert_options *build, spmv_error *err);

/* Fill in the missing triangle, negated when SKEW and conjugated when HERMITIAN: out is GENERAL.
 * GENERAL is copied.  Errors: those of spmv_convert.  Time as there. */
spmv_status spmv_expand(spmv_matrix *out, const spmv_matrix *A, const spmv_convert_options *build,
                        spmv_error *err);

/* Remove entries whose value is 0 (none in a pattern), or those on the diagonal.
 * Errors: those of spmv_convert.  Time as there. */
spmv_status spmv_drop_zeros(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err);
spmv_status spmv_drop_diagonal(spmv_matrix *out, const spmv_matrix *A,
                               const spmv_convert_options *build, spmv_error *err);

/* Take each edge of a graph both ways: out has at (i, j) and (j, i) the sum of what A has there, in
 * a pattern one entry, and the diagonal as it is.  Errors: those of spmv_convert, INVALID_DIMENSION
 * (not square), UNSUPPORTED (symmetry not expanded).  Time as there. */
spmv_status spmv_symmetrize(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err);

/* To and from a dense row-major array of doubles: [rows * cols], and [rows * cols * 2] when the
 * type is complex, imaginary parts behind their real parts.  From dense, zeros are left out and NaN
 * is kept; values of single precision are rounded.  To dense, a stored triangle is mirrored: the
 * array holds the whole matrix. */
spmv_status spmv_from_dense(spmv_matrix *out, spmv_format format, spmv_type type, int64_t rows,
                            int64_t cols, const double *dense, spmv_error *err);
void spmv_to_dense(const spmv_matrix *A, double *dense);

/* ---- Looking inside ------------------------------------------------------------------------- */

/* Value at (row, col): what is stored, or 0 where nothing is.  Where one triangle stands for the
 * whole matrix, the other half is answered from it (negated when SKEW, conjugated when HERMITIAN).
 * Errors: INVALID_DIMENSION when out of range (*value is 0).  Time O(log row length) for CSR,
 * O(log column length) for CSC, O(log nnz) for COO, O(width) for ELL, O(rows) for JDS, O(window +
 * row length) for SELL, O(window + steps of its slice) for CSELL. */
spmv_status spmv_get_element(const spmv_matrix *A, int64_t row, int64_t col, spmv_scalar *value);

/* Check every promise that the structs above make: sizes, offsets, indices in range and ascending,
 * stored triangle, real diagonal, permutation, padding.  Safe whatever the arrays hold, as long as
 * they have the lengths that head and parameters promise. Errors: INVALID_DIMENSION (the head),
 * INVALID_FORMAT with the place of the first violation, OUT_OF_MEMORY.  Time O(nnz + rows + cols),
 * for ELL O(width * rows). */
spmv_status spmv_check(const spmv_matrix *A, spmv_error *err);

/* Same format, shape and arrays, values compared bit by bit. */
bool spmv_identical(const spmv_matrix *A, const spmv_matrix *B);

size_t spmv_memory_bytes(const spmv_matrix *A); /* of all arrays together, padding included */

/* OUT_OF_MEMORY, with `what` in the message, where so many bytes are more than the system has free:
 * by MemAvailable and the limits of the control groups on Linux.  Less than 256 MiB always pass.
 * All functions ask this before they take memory; a caller asks it for the sum of what comes. */
spmv_status spmv_check_memory(double bytes, const char *what, spmv_error *err);

/* What a matrix takes in a format. */
typedef struct spmv_size {
    double bytes; /* as spmv_memory_bytes counts them */
    double fill;  /* slots per nonzero; infinite where there is none of these but padding */
    double limit; /* of the fill, */
    bool refused; /* over which spmv_convert refuses the format */
} spmv_size;

/* The size of spmv_convert's result for the same arguments, by arithmetic from the row lengths (of
 * CSELL also from the columns): no format is built.
 * Errors: INVALID_DIMENSION (too many rows or columns for the format), INVALID_ARGUMENT,
 * OUT_OF_MEMORY, UNSUPPORTED (SELL or CSELL of a matrix with far more rows than entries).  Time
 * O(nnz + rows), memory O(rows) beside A where that is CSR; O(nnz) of both where rows are far more
 * than entries. */
spmv_status spmv_size_of(const spmv_matrix *A, spmv_format format,
                         const spmv_convert_options *build, spmv_size *out, spmv_error *err);

/* Lengths of the rows. */
enum { SPMV_HISTOGRAM_BINS = 64 };
typedef struct spmv_row_stats {
    int64_t rows, cols, nnz;
    int64_t min, max;    /* shortest and longest row; 0 when there are no rows */
    int64_t empty;       /* rows without an entry */
    double mean, stddev; /* entries per row */
    /* The share of the sampled entries that have no entry near them in the row above. */
    double share_without_neighbour;
    int64_t histogram[SPMV_HISTOGRAM_BINS]; /* [0] empty rows, [b] lengths in [2^(b-1), 2^b) */
    int64_t entries[SPMV_HISTOGRAM_BINS];   /* of the rows in each bin */
} spmv_row_stats;

/* Of the stored entries: what a kept triangle leaves out does not count.
 * Errors: OUT_OF_MEMORY.  Time O(rows) for CSR, O(nnz) for COO, O(nnz + rows + cols) otherwise. */
spmv_status spmv_row_stats_compute(const spmv_matrix *A, spmv_row_stats *out, spmv_error *err);

/* XXH3 of shape, type and arrays: matrices that are identical have the same one, whatever files
 * they come from, and others another one but for chance.  Time O(nnz + rows). */
uint64_t spmv_csr_checksum(const spmv_csr *A);

/* Where the entries are, and what they hold. */
enum { SPMV_DISTINCT_VALUES = 256 };
typedef struct spmv_structure {
    int64_t empty_rows, empty_cols;
    int64_t lower_bandwidth, upper_bandwidth; /* the largest r - c, c - r of an entry, or 0 */
    int64_t profile;  /* sum over the rows of r - c of the first entry, where it is positive */
    int64_t diagonal; /* entries (r, r) */
    int64_t diagonal_zeros;     /* of them with value 0 */
    int64_t diagonal_imaginary; /* of them with an imaginary part */
    /* Of a square matrix, entries off the diagonal whose mirror image is stored too, holds the
     * same value, holds the negated value, holds the conjugate.  Of any other 0. */
    int64_t mirrored, equal, opposite, conjugate;
    int64_t zeros, nan, inf; /* entries of this value, nan and inf in either part */
    double min_abs, max_abs; /* of the finite values that are not 0; 0 where there is none */
    int distinct;            /* different values; SPMV_DISTINCT_VALUES + 1 stands for more */
    bool integers, ones;     /* all values are, or there is none; integers: in both parts */
} spmv_structure;

/* Describe a whole matrix, in any format.
 *
 * The pattern is symmetric when all nnz - diagonal entries off the diagonal are mirrored, the
 * matrix when they are all equal; it is skew when they are all opposite and the diagonal, if any,
 * holds zeros; hermitian when they are all conjugate and the diagonal, if any, is real.  A profile
 * beyond int64_t is INT64_MAX; an entry of a pattern counts as 1. Errors: UNSUPPORTED (symmetry not
 * expanded), OUT_OF_MEMORY.  Time O(nnz), also for more rows or columns than there is memory;
 * memory: the matrix as coordinates, twice (COO: once more), and the scratch of spmv_coo_sort. */
spmv_status spmv_structure_compute(const spmv_matrix *A, spmv_structure *out, spmv_error *err);

/* How many entries lie in each block of a grid over the matrix, for a picture of it.
 *
 *   row_step, col_step  rows and columns of a block, > 0
 *   count               [rows / row_step x cols / col_step, both rounded up], row-major: the
 *                       stored entries of a block are added to its number
 *
 * Time O(nnz), for ELL O(width * rows). */
spmv_status spmv_block_counts(const spmv_matrix *A, int64_t row_step, int64_t col_step,
                              int64_t *count, spmv_error *err);

/* The same under the name of each format: spmv_csr_destroy, spmv_ell_from_csr, ...
 * from_csr takes the defaults of spmv_convert_options; serialize and deserialize are
 * spmv_write_binary and spmv_read below, the latter refusing a file that holds another format. */
#define X(id, name, meaning)                                                                      \
    void spmv_##name##_destroy(spmv_##name *A);                                                   \
    spmv_status spmv_##name##_from_dense(spmv_##name *out, spmv_type type, int64_t rows,          \
                                         int64_t cols, const double *dense, spmv_error *err);     \
    void spmv_##name##_to_dense(const spmv_##name *A, double *dense);                             \
    spmv_status spmv_##name##_from_csr(spmv_##name *out, const spmv_csr *A, spmv_error *err);     \
    spmv_status spmv_##name##_to_csr(spmv_csr *out, const spmv_##name *A, spmv_error *err);       \
    spmv_status spmv_##name##_get_element(const spmv_##name *A, int64_t row, int64_t col,         \
                                          spmv_scalar *value);                                    \
    spmv_status spmv_##name##_serialize(const spmv_##name *A, const char *path, spmv_error *err); \
    spmv_status spmv_##name##_deserialize(spmv_##name *out, const char *path, spmv_error *err);
SPMV_FORMAT_TABLE(X)
#undef X

/* ---- Vectors -------------------------------------------------------------------------------- */

/* One or several dense vectors: [rows x cols].  Element (r, c) is number c * rows + r of data, or
 * number r * cols + c when they are stored by rows, the elements that one row of a matrix takes
 * side by side; a single vector is the same either way. */
typedef struct spmv_dense {
    spmv_type type; /* not SPMV_PATTERN */
    int64_t rows, cols;
    void *data;
    bool on_gpu;           /* data is device memory */
    bool by_rows;          /* of several vectors the elements of a row lie side by side */
    spmv_storage *storage; /* owns data; NULL: data was allocated with malloc */
} spmv_dense;

/* The number of element (r, c) in data. */
static inline int64_t spmv_dense_index(const spmv_dense *x, int64_t r, int64_t c)
{
    return x->by_rows ? r * x->cols + c : c * x->rows + r;
}

spmv_status spmv_dense_create(spmv_dense *out, spmv_type type, int64_t rows, int64_t cols,
                              spmv_error *err); /* on the host, all zero */
void spmv_dense_destroy(spmv_dense *x);         /* wherever it lives */

/* A copy of vectors on the host in the order that is asked for.  Errors: OUT_OF_MEMORY. */
spmv_status spmv_dense_reorder(spmv_dense *out, const spmv_dense *x, bool by_rows, spmv_error *err);

/* Numbers uniform in [-1, 1) into a vector on the host: number k of data follows from the seed
 * and k alone, the same on every machine.  Complex ones have the real parts that real ones
 * would be, and imaginary parts of their own.  Single precision rounds to nearest. */
void spmv_dense_fill_random(spmv_dense *x, uint64_t seed);

/* ---- Kernels and choosing one --------------------------------------------------------------- */

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

typedef struct spmv_kernel_config {
    const char *kernel; /* a name from the list, never freed */
    int block_size; /* GPU threads per block, a power of two in [32, 1024]; 0: the kernel's own */
    /* Let csr-scalar, csr-vector, csr-merge and ell load x, unless it is complex, through the
     * texture (read-only data) path.  They then begin when all before has ended; else they have
     * their part of the matrix by then. */
    bool x_readonly;
    /* Of the vectors to come; PATTERN: as A, in double precision for a pattern.  Others are
     * multiplied too, but perhaps not as fast: a plan leaves room for these. */
    spmv_type vector_type;
} spmv_kernel_config;

/* The published rule: mean < 4 -> csr-scalar; else max / (min + 1) < 10 -> csr-vector; else
 * csr-merge; block size 256; x through the read-only path when cols > 10,000. */
spmv_kernel_config spmv_kernel_config_rule(const spmv_row_stats *stats);

/* Our rule, for the GPU or for the CPU; *reason (may be NULL) is set to a static sentence. */
spmv_kernel_config spmv_kernel_config_auto(const spmv_row_stats *stats, bool gpu,
                                           const char **reason);

/* Bandwidth of one multiplication with so many vectors.  Bytes = nnz (value + index) + (rows + 1)
 * offsets + vectors (cols x + rows y), as plain CSR with 32-bit indices and 32- or 64-bit offsets
 * would move ("useful"), and as the format at hand stores it ("moved"). */
typedef struct spmv_bandwidth {
    double useful_bytes, moved_bytes;
    double gflops;      /* 2 nnz vectors / time; 4 nnz with complex ones, 8 nnz when A is complex */
    double achieved;    /* useful bytes per second */
    double theoretical; /* bytes per second, of the device */
    double efficiency;  /* achieved / theoretical; above 1 only for cached or compressed data */
} spmv_bandwidth;

/* Errors: INVALID_ARGUMENT unless vectors >= 0, seconds > 0 and theoretical > 0. */
spmv_status spmv_bandwidth_compute(const spmv_matrix *A, spmv_type vector_type, int64_t vectors,
                                   double seconds, double theoretical, spmv_bandwidth *out);

/* ---- Contexts and multiplication ------------------------------------------------------------ */

/* What is kept from one multiplication to the next: the device, its stream and workspace, or the
 * number of CPU threads.  Used by one thread at a time. */
typedef struct spmv_context spmv_context;

enum { SPMV_DEVICE_CPU = -1, SPMV_DEVICE_AUTO = -2 }; /* or the number of a GPU, from 0 */

typedef struct spmv_device_info {
    int device; /* SPMV_DEVICE_CPU or the number of a GPU */
    char name[128];
    double bandwidth;    /* theoretical bytes per second (CPU: measured with a streaming read) */
    int64_t memory;      /* bytes */
    int64_t cache;       /* bytes of the last-level cache; 0 unknown */
    int multiprocessors; /* GPU SMs, or CPU threads */
    int clock_khz, memory_clock_khz;                         /* GPU only */
    int driver_version, runtime_version, compute_capability; /* GPU only, as CUDA numbers them */
} spmv_device_info;

int spmv_gpu_count(void); /* usable GPUs; 0 without a driver or without CUDA in the build */
spmv_status spmv_device_describe(int device, spmv_device_info *out, spmv_error *err);

/* threads: of the CPU, 0 = all that OpenMP would use.  Errors: NO_DEVICE, OUT_OF_MEMORY. */
spmv_status spmv_context_create(spmv_context **out, int device, int threads, spmv_error *err);
void spmv_context_destroy(spmv_context *ctx);
int spmv_context_device(const spmv_context *ctx); /* SPMV_DEVICE_CPU or the number of a GPU */
spmv_status spmv_context_synchronize(spmv_context *ctx, spmv_error *err);

/* Time what the context does between the two calls: with events on its GPU, with a clock on the
 * CPU. The second waits for it.  Errors: KERNEL_LAUNCH. */
spmv_status spmv_context_timer_start(spmv_context *ctx, spmv_error *err);
spmv_status spmv_context_timer_stop(spmv_context *ctx, double *seconds, spmv_error *err);

/* Drive what was used before out of the last-level cache of the device, so that what comes next
 * starts cold.  Writes four times the size of that cache, which the context keeps until it goes.
 * Errors: OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_context_flush_cache(spmv_context *ctx, spmv_error *err);

/* What no multiplication can beat, measured. */
typedef struct spmv_peak_rates {
    double stream; /* bytes per second, read one after the other from memory */
    double gather; /* numbers per second, read from random places of one vector */
} spmv_peak_rates;

/* Measure them for vectors of `rows` numbers of a type.  Memory: the vector, and on a GPU four
 * times its cache.  Errors: INVALID_ARGUMENT (a pattern, negative rows), OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv_context_ceilings(spmv_context *ctx, spmv_type type, int64_t rows,
                                  spmv_peak_rates *out, spmv_error *err);

/* A matrix in GPU memory.  from_gpu(to_gpu(A)) is A, bit for bit. */
typedef struct spmv_gpu_matrix spmv_gpu_matrix;
spmv_status spmv_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, const spmv_matrix *A,
                        spmv_error *err);
spmv_status spmv_from_gpu(spmv_matrix *out, spmv_context *ctx, const spmv_gpu_matrix *A,
                          spmv_error *err);
void spmv_gpu_matrix_destroy(spmv_gpu_matrix *A);
#define X(id, name, meaning)                                                   \
    spmv_status spmv_##name##_to_gpu(spmv_gpu_matrix **out, spmv_context *ctx, \
                                     const spmv_##name *A, spmv_error *err);   \
    spmv_status spmv_##name##_from_gpu(spmv_##name *out, spmv_context *ctx,    \
                                       const spmv_gpu_matrix *A, spmv_error *err);
SPMV_FORMAT_TABLE(X)
#undef X

spmv_status spmv_dense_to_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                              spmv_error *err);
spmv_status spmv_dense_from_gpu(spmv_dense *out, spmv_context *ctx, const spmv_dense *x,
                                spmv_error *err);

/* Overwrite vectors, wherever they live, with others on the host; what was recorded finds the new
 * numbers.  Errors: INVALID_DIMENSION and INVALID_ARGUMENT (not of the same shape, type and order),
 * CUDA_MEMCPY. */
spmv_status spmv_dense_set(spmv_dense *to, spmv_context *ctx, const spmv_dense *from,
                           spmv_error *err);

/* Finite numbers that single precision turns into something else altogether. */
typedef struct spmv_losses {
    int64_t infinite; /* too large: they become infinite */
    int64_t vanished; /* too small: they become 0 */
    int64_t row, col; /* of the first of either kind, in the order in which they are stored */
    double value;     /* there; of a complex number the part that is lost */
} spmv_losses;

/* Count the values of a matrix, or the elements of a vector on the host, that rounding to single
 * precision would lose.  Errors: INVALID_ARGUMENT.  Time O(nnz). */
spmv_status spmv_single_losses(const spmv_matrix *A, spmv_losses *out, spmv_error *err);
spmv_status spmv_dense_single_losses(const spmv_dense *v, spmv_losses *out, spmv_error *err);

/* What one multiplication took and moved. */
typedef struct spmv_result {
    spmv_status status;
    double elapsed_ms;           /* the multiplication itself: no transfer, no set-up */
    double gflops, gbytes_per_s; /* from useful bytes */
    const char *kernel;          /* as spmv_operator_kernel says */
} spmv_result;

/* A matrix made ready for many multiplications with one kernel on one device: uploaded when that
 * is a GPU, partitioned where the kernel wants it.
 *
 *   A       borrowed when the context is a CPU: it must outlive the operator
 *   config  kernel and block size; NULL: spmv_kernel_config_auto.  The kernel's format must be A's.
 *
 * Errors: INVALID_ARGUMENT (unknown kernel, format or device do not fit, block size),
 * UNSUPPORTED (symmetry not expanded), NO_DEVICE, OUT_OF_MEMORY, CUDA_*. */
typedef struct spmv_operator spmv_operator;
spmv_status spmv_operator_create(spmv_operator **out, spmv_context *ctx, const spmv_matrix *A,
                                 const spmv_kernel_config *config, spmv_error *err);

/* The same for a matrix that is on the GPU of the context already, so that several operators share
 * one copy.  A is borrowed: it must outlive the operator.  config: not NULL, since the automatic
 * choice looks at the rows, on the host. */
spmv_status spmv_operator_create_on_gpu(spmv_operator **out, spmv_context *ctx,
                                        const spmv_gpu_matrix *A, const spmv_kernel_config *config,
                                        spmv_error *err);
void spmv_operator_destroy(spmv_operator *op);
const spmv_kernel_config *spmv_operator_config(const spmv_operator *op);

/* The kernel that multiplies vectors of this type: the one that was asked for, but csr-merge where
 * csr-panels or csr-staged find nothing that they could do better, or were planned for smaller
 * numbers. */
const char *spmv_operator_kernel(const spmv_operator *op, spmv_type vector_type);

/* y = alpha A x + beta y
 *
 *   x       [A.cols x k] of the precision of A (either for a pattern; also f64 where A is f32), on
 *           the host or on the operator's GPU; complex when A is, and real or complex when A is not
 *   y       [A.rows x k], same type, place and order as x, not overlapping it; read only when
 *           beta != 0
 *   result  may be NULL: then a GPU multiplication on device vectors is only enqueued
 *
 * Vectors stored by columns are multiplied one after the other.  Stored by rows, k > 1 of them
 * share one pass over the matrix (SpMM), which a kernel must offer (spmm): cpu-csr, csr-merge.  The
 * first such call with k or more of them allocates workspace: k times 8 KB, on a GPU 8 or 16 bytes
 * for each of the pieces that rows of 250 nonzeros and more are cut into.
 *
 * A and x are read whatever alpha is: where alpha is 0, infinity and NaN in them make NaN (the BLAS
 * would not read them).  y is not read where beta is 0, as in the BLAS.
 *
 * Sums are kept in double precision.  Deterministic unless the kernel says otherwise; on the CPU
 * the result does not depend on the number of threads either.
 * Errors: INVALID_DIMENSION (nothing is computed), INVALID_ARGUMENT (types, places or orders
 * differ), UNSUPPORTED (vectors by rows with a kernel that does not take them), OUT_OF_MEMORY and
 * CUDA_MALLOC (workspace), CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv_apply(spmv_operator *op, double alpha, const spmv_dense *x, double beta,
                       spmv_dense *y, spmv_result *result, spmv_error *err);

/* The same with complex factors, which complex vectors may have: INVALID_ARGUMENT for a factor with
 * an imaginary part and real vectors.  A factor without one scales both parts of a number, so that
 * spmv_apply is this function with imaginary parts of 0. */
spmv_status spmv_apply_complex(spmv_operator *op, spmv_scalar alpha, const spmv_dense *x,
                               spmv_scalar beta, spmv_dense *y, spmv_result *result,
                               spmv_error *err);

/* What is enqueued between the first two calls is recorded as one graph, not carried out; each
 * replay enqueues all of it, for little more than the cost of one launch.  Vectors must be on the
 * GPU, where a replay finds what they hold then, and result NULL; operators and vectors outlive the
 * recording.
 *
 * spmv_apply with such vectors and result NULL only enqueues: it allocates nothing, copies nothing
 * and waits for nothing, but for the workspace that SpMM takes in its first call with so many
 * vectors, which therefore comes before it is recorded.  (With more vectors it takes another one:
 * what was recorded of that operator before is of no use then.)  So callers may as well capture or
 * order it themselves, in the stream of the context (a cudaStream_t; NULL on a CPU).
 *
 * Errors: NO_DEVICE (the context is a CPU), INVALID_ARGUMENT (begun twice, not begun, a recording
 * of NULL), KERNEL_LAUNCH (what was called in between cannot be recorded). */
typedef struct spmv_recording spmv_recording;
spmv_status spmv_context_record(spmv_context *ctx, spmv_error *err);
spmv_status spmv_context_record_end(spmv_context *ctx, spmv_recording **out, spmv_error *err);
spmv_status spmv_context_replay(spmv_context *ctx, const spmv_recording *recording,
                                spmv_error *err);
void spmv_recording_destroy(spmv_recording *recording);
void *spmv_context_stream(const spmv_context *ctx);

/* The same in one call: ctx NULL means the CPU with all threads, config NULL means automatic. */
spmv_status spmv_multiply(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                          spmv_dense *y, const spmv_kernel_config *config, spmv_context *ctx,
                          spmv_result *result, spmv_error *err);
#define X(id, name, meaning)                                                                    \
    spmv_status spmv_##name##_multiply(const spmv_##name *A, double alpha, const spmv_dense *x, \
                                       double beta, spmv_dense *y,                              \
                                       const spmv_kernel_config *config, spmv_context *ctx,     \
                                       spmv_result *result, spmv_error *err);
SPMV_FORMAT_TABLE(X)
#undef X

/* How far y is from alpha A x + beta y0, computed here one entry after the other with compensated
 * double-precision sums.  |z| is the absolute value, of complex numbers too.
 *
 * A row of n entries may be off by (n + 8) 2^-52 times its sum of absolute products, which is what
 * sums in double precision can lose in any order, and by one rounding to the type of y.  Errors are
 * measured where the exact result is finite; places where exactly one of the two is NaN or Inf (or
 * they differ in kind, in either part) count as mismatches.  Where the sum of absolute products is
 * beyond the range of a double, a result that is not finite is no mismatch: an intermediate sum may
 * have overflowed. */
typedef struct spmv_verification {
    double max_abs_error;
    double max_rel_error; /* |y - ref| / |ref|, where ref != 0 */
    double excess;        /* the largest |y - ref| as a multiple of what its row allows */
    int64_t wrong;        /* elements of y that are off by more than that, and mismatches */
    int64_t mismatches;
    int64_t worst_row;   /* the first mismatch, else that of `excess`; -1: no rows */
    double scaled_error; /* there: |y - ref| / (sum of absolute products), */
    double tolerance;    /* and what it may be */
    spmv_scalar worst_found, worst_expected;
    bool pass; /* wrong == 0 */
} spmv_verification;

/* How the result was made, if not as the kernels of this library do.  All zero: as they do. */
typedef struct spmv_rounding {
    bool single_sums;   /* sums are kept in single precision, as other libraries do */
    bool single_values; /* the values of A were rounded to single precision before */
} spmv_rounding;

/* y0 may be NULL when beta == 0, rounding NULL.  All on the host; A as it was read, before it was
 * converted or rounded, so that these are verified too.
 * Errors: INVALID_DIMENSION (also: no vectors at all), INVALID_ARGUMENT (no y0, a vector on a GPU,
 * a real y where A, alpha, x, beta or y0 is complex), UNSUPPORTED (symmetry not expanded),
 * OUT_OF_MEMORY.  Scratch: 56 bytes per row. */
spmv_status spmv_verify(const spmv_matrix *A, double alpha, const spmv_dense *x, double beta,
                        const spmv_dense *y0, const spmv_dense *y, spmv_verification *out,
                        spmv_error *err);
spmv_status spmv_verify_complex(const spmv_matrix *A, spmv_scalar alpha, const spmv_dense *x,
                                spmv_scalar beta, const spmv_dense *y0, const spmv_dense *y,
                                const spmv_rounding *rounding, spmv_verification *out,
                                spmv_error *err);

/* ---- Files ---------------------------------------------------------------------------------- */

typedef enum spmv_index_base {                        /* what indices in a text count from */
                               SPMV_BASE_DEFAULT = 0, /* what is usual in its file format */
                               SPMV_BASE_0,
                               SPMV_BASE_1
} spmv_index_base;

/* How to read.  All zero is the default. */
typedef struct spmv_read_options {
    const char *file_format; /* a name from spmv_file_format_at; NULL: recognise it */
    const char *member;      /* of an archive: its name or the end of it; NULL: the matrix, which is
                                NAME/NAME.mtx or else the only one */
    spmv_duplicates duplicates;
    spmv_complex_part complex_values;
    bool keep_symmetry; /* store the triangle as given instead of expanding it */
    bool drop_zeros;
    bool skip_invalid; /* text: leave out entries that lie outside the matrix */
    bool strict;       /* text: what would be a warning is an error */
    bool trust;        /* binary: skip the O(nnz) checks; using a damaged matrix writes and
                          reads anywhere, and so does reading one that is expanded */
    bool all_ids; /* edge list: every integer up to the largest is a node, not only those named */
    spmv_index_base index_base;
    int threads; /* text: 0: all; the result and what is said are the same for every number */
    /* Called with status SUCCESS-like remarks (file, line, column, sentence); may be NULL. */
    void (*warn)(void *user, const spmv_error *warning);
    spmv_progress_callback *progress; /* in bytes; NULL: nobody is told */
    void *user;                       /* for warn and progress */
} spmv_read_options;

/* What a file calls its rows: row i is id[i], or first + i where id is NULL.  A file that does not
 * say counts from 1, as Matrix Market does. */
typedef struct spmv_labels {
    int64_t n;     /* rows */
    int64_t first; /* 1 but where rows count from 0 */
    int64_t *id;   /* [n], ascending; NULL where they have no gaps */
} spmv_labels;

int64_t spmv_label_at(const spmv_labels *labels, int64_t i);
int64_t spmv_label_find(const spmv_labels *labels, int64_t id); /* its row, or -1 */
bool spmv_labels_are_usual(const spmv_labels *labels);          /* 1, 2, ... */
void spmv_labels_destroy(spmv_labels *labels);                  /* releases id and clears *labels */

/* What the file said, beyond the matrix. */
typedef struct spmv_file_info {
    const char *file_format; /* "mtx", "binary", ... */
    const char *compression; /* "gzip", ...; NULL: none */
    char member[128];        /* of an archive, shortened; "": it is none */
    const char *field;       /* what the file calls its values: "integer", ...; NULL: nothing */
    int64_t entries;         /* given in the file */
    int64_t duplicates;      /* entries merged */
    int64_t skipped;         /* entries left out by skip_invalid */
    int64_t bytes;           /* read, before they were unpacked */
    spmv_symmetry symmetry;  /* as the file has it */
    int64_t loops;           /* edge list: entries on the diagonal, before merging */
    int64_t smallest_id;     /* edge list: of the nodes that occur; -1 where there is none */
    bool has_values;         /* text: entries are given with values */
    bool bipartite;          /* edge list: rows and columns are nodes of two kinds */
    spmv_labels labels;      /* the caller's to destroy */
} spmv_file_info;

/* Read a matrix.
 *
 *   path     a file, or "-" for standard input; the format is recognised from the content, and
 *            where that may be several (edge lists, METIS) from the suffix
 *   out      text comes as f64 or pattern, Matrix Market as CSR (as COO where that has too many
 *            columns, or more than 8 rows for an entry and over a million), other text as COO; a
 *            binary file in its own format, mapped; the entries of a Matrix Market array are
 *            those of its values that are not 0; entry (i, j) of a graph is its edge i -> j
 *   options  NULL: defaults
 *   info     may be NULL
 *
 * Errors: FILE_IO, INVALID_FORMAT and UNSUPPORTED (with line and column), OUT_OF_MEMORY (with the
 * sizes, before anything large is allocated). */
spmv_status spmv_read(spmv_matrix *out, const char *path, const spmv_read_options *options,
                      spmv_file_info *info, spmv_error *err);

typedef struct spmv_write_options {
    bool overwrite;            /* replace an existing file */
    const char *file_format;   /* a name from spmv_file_format_at, for vectors also "text"; NULL: as
                                  the suffix of the path says, or else Matrix Market */
    const spmv_labels *labels; /* of a square matrix, for a file format that holds labels; NULL: its
                                  rows count from 1 */
    spmv_progress_callback *progress; /* in bytes; NULL: nobody is told */
    void *user;                       /* for progress */
    bool unchanged;                   /* write nothing where spmv_changed_file(NULL) names a file */
} spmv_write_options;

/* Write a matrix; "-" is standard output.  A file appears whole or not at all: it is written
 * beside its final name, synced and renamed.
 * Errors: FILE_IO (also: the file exists), INVALID_ARGUMENT (no such file format), UNSUPPORTED (it
 * is not written, or cannot hold this matrix), OUT_OF_MEMORY. */
spmv_status spmv_write(const spmv_matrix *A, const char *path, const spmv_write_options *options,
                       spmv_error *err);

/* The same in one file format.  Text is Matrix Market (by row, then column, symmetry kept, numbers
 * in the shortest form that reads back to the same bits); binary is our container, which holds A in
 * the storage format that it has, see spmv-formats(5). */
spmv_status spmv_write_mtx(const spmv_matrix *A, const char *path,
                           const spmv_write_options *options, spmv_error *err);
spmv_status spmv_write_binary(const spmv_matrix *A, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* As an edge list: a line `row column value` (no value in a pattern) for each entry, by the labels
 * of the rows, and a last line `# Ids: first to last` where a node has no edge.
 * Errors: also UNSUPPORTED (not square, symmetry not expanded, a node without an edge among labels
 * that have gaps). */
spmv_status spmv_write_edges(const spmv_matrix *A, const char *path,
                             const spmv_write_options *options, spmv_error *err);

/* Write a finished text or record in the same way. */
spmv_status spmv_write_bytes(const void *data, size_t size, const char *path,
                             const spmv_write_options *options, spmv_error *err);

/* Vectors, by columns: dense files (Matrix Market arrays, NumPy) with any number of columns, Matrix
 * Market coordinates of one column, or plain text with one number a line (and comments after % or
 * #).  What is read is f64 or c128.  Plain text is written where the suffix is .txt or the file
 * format "text", and holds one column.
 * Errors: as above; INVALID_DIMENSION (read: more than one column in coordinates). */
spmv_status spmv_read_vector(spmv_dense *out, const char *path, const spmv_read_options *options,
                             spmv_error *err);
spmv_status spmv_write_vector(const spmv_dense *x, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* Scores of nodes, [labels->n x k], as text: a line `label score ...` for each. */
spmv_status spmv_write_scores(const spmv_dense *scores, const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* Read one number for each node: [labels->n] of f64.  The file is a vector of that length, or text
 * with lines `label score` in any order, the score 1 where it is left out, those of a node that is
 * listed again added, and 0 for nodes that are not listed.
 * Errors: those of spmv_read_vector; INVALID_FORMAT (no such node; a score that is negative or not
 * finite; a sum of 0), INVALID_DIMENSION. */
spmv_status spmv_read_scores(spmv_dense *out, const char *path, const spmv_labels *labels,
                             const spmv_read_options *options, spmv_error *err);

/* The labels themselves: a line with one label for each row, in their order.  What is read has n of
 * them, ascending.
 * Errors of reading: those of spmv_read_vector; INVALID_DIMENSION (another number of labels). */
spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err);
spmv_status spmv_read_labels(spmv_labels *out, const char *path, int64_t n,
                             const spmv_read_options *options, spmv_error *err);

/* File formats that this build knows, for --list-formats. */
typedef struct spmv_file_format {
    const char *name;     /* "mtx" */
    const char *suffixes; /* ".mtx .mm" */
    const char *summary;
    bool reads, writes;
    bool text;   /* for people's eyes too: it may go to a terminal */
    bool labels; /* it holds those of the rows */
} spmv_file_format;
int spmv_file_format_count(void);
const spmv_file_format *spmv_file_format_at(int i);

/* The suffix of a path in lower case, with its dot; "" when there is none, or it is very long.
 * One that asks for compression (.gz, .zst, ...) is passed over: of A.mtx.gz it is .mtx. */
enum { SPMV_SUFFIX_SIZE = 16 };
const char *spmv_path_suffix(const char *path, char suffix[SPMV_SUFFIX_SIZE]); /* suffix */
const spmv_file_format *spmv_file_format_of(const char *path); /* by its suffix; NULL: unknown */

/* Remove the temporary files of writes in progress.  Safe in a signal handler. */
void spmv_abandon_writes(void);

/* The mapped file that an address lies in, by the name it was read under, or NULL.  Safe in a
 * signal handler.
 *
 * Files are mapped, by spmv_read as well as for the matrices in it that live in a binary file.  One
 * that another program shortens meanwhile, or that its disk cannot give, raises SIGBUS where it is
 * used.  The library installs no handler: a program that wants to end with a sentence asks in its
 * own one whose the address is (siginfo_t.si_addr). */
const char *spmv_mapped_file(const void *address);

/* The same where the file has been written to since it was mapped (its time or its size is
 * another); address NULL: the first one of all.  Safe in a signal handler.  What was computed from
 * such a file may be wrong, and a SIGSEGV may come from an index in it. */
const char *spmv_changed_file(const void *address);

/* Copy the indices of a matrix that lives in a mapped file to memory of their own, and check them
 * again; nothing happens to others.
 *
 * Another program that writes to the file can make no multiplication write out of bounds: indices
 * that lead there were copied by spmv_read (unless the file was trusted).  Whatever goes through
 * the matrix more than once, such as conversions, transposing, statistics and PageRank, needs this
 * call before to be as safe.  Errors: OUT_OF_MEMORY, those of spmv_check (A is to be destroyed). */
spmv_status spmv_own_indices(spmv_matrix *A, spmv_error *err);

/* ---- Generators ----------------------------------------------------------------------------- */

/* What to generate.  Members that a kind does not use are ignored; 0 means the kind's default.
 * X(member, kind of number, name of the option, its argument, what it is) */
#define SPMV_GENERATE_PARAMETERS(X)                                                     \
    X(rows, int64_t, "rows", "N", "number of rows")                                     \
    X(cols, int64_t, "cols", "N", "number of columns [as many as rows]")                \
    X(grid, int64_t, "grid", "N", "points per side of the grid")                        \
    X(block, int64_t, "block", "N", "unknowns per point, or size of the blocks")        \
    X(bandwidth, int64_t, "bandwidth", "N", "entries are less than N off the diagonal") \
    X(max_row, int64_t, "max-row", "N", "length of the longest rows")                   \
    X(huge_rows, int64_t, "huge-rows", "N", "number of rows of length max-row")         \
    X(scale, int64_t, "scale", "N", "2^N nodes")                                        \
    X(per_row, double, "per-row", "X", "mean number of entries per row")                \
    X(density, double, "density", "X", "fraction of all entries, instead of per-row")   \
    X(nonempty, double, "nonempty", "X", "fraction of the rows that hold entries")      \
    X(exponent, double, "exponent", "X", "of the power law, above 1")

typedef enum spmv_generate_values {
    SPMV_VALUES_OWN = 0, /* the problem's: Poisson, elasticity-like; random where it has none */
    SPMV_VALUES_RANDOM,  /* uniform in (-1, 1), never 0, and so each part of a complex value;
                            symmetric where the pattern is */
    SPMV_VALUES_ONES
} spmv_generate_values;

typedef struct spmv_generate_options {
#define X(member, number, name, argument, meaning) number member;
    SPMV_GENERATE_PARAMETERS(X)
#undef X
    spmv_type type; /* SPMV_PATTERN: no values */
    spmv_generate_values values;
    uint64_t seed;
    int threads; /* 0: all */
} spmv_generate_options;

typedef struct spmv_generator {
    const char *name; /* "stencil27" */
    const char *summary;
    const char
        *uses;      /* names of the options it looks at, the main one first: "rows cols per-row" */
    bool symmetric; /* A = A^T, values included */
    spmv_generate_options defaults;
} spmv_generator;

int spmv_generator_count(void);
const spmv_generator *spmv_generator_at(int i);              /* NULL outside 0 .. count-1 */
const spmv_generator *spmv_generator_find(const char *name); /* NULL: no such kind */

/* Make a matrix, the same on every machine and for every number of threads: a row follows from
 * the seed and its own number alone, in rmat from edges that follow so.  Memory: the matrix and,
 * per thread, a few times the longest row; rmat holds 4 bytes for each edge before it merges them.
 * Errors: INVALID_ARGUMENT (no such kind, type or values, a size that makes no sense),
 * OUT_OF_MEMORY. */
spmv_status spmv_generate(spmv_csr *out, const char *kind, const spmv_generate_options *options,
                          spmv_error *err);

/* A twin of A: another matrix on which a multiplication should behave alike.
 *
 *   A        GENERAL, any format
 *   options  type, values, seed and threads; NULL: a pattern
 *
 * Kept exactly: the shape, the length of every row, its runs of adjacent columns, and every run
 * that touches a heavy column (one with more than 8 times the mean entries of the columns in
 * use).  Every other run moves by a random amount, at most half the gap to its neighbours, and
 * alike in 32 successive rows of the same structure; so how far rows reach and how similar they
 * are to each other stay about the same.  A row that is a single run stays in place.  Not kept:
 * values, symmetry, a full diagonal, communities and every other property of the graph.
 * Errors: UNSUPPORTED (symmetry not expanded), INVALID_DIMENSION (more columns than CSR has),
 * INVALID_ARGUMENT (no such type or values), OUT_OF_MEMORY.  Time O(nnz + rows + cols). */
spmv_status spmv_generate_like(spmv_csr *out, const spmv_matrix *A,
                               const spmv_generate_options *options, spmv_error *err);

/* ---- PageRank ------------------------------------------------------------------------------- */

/* Where the score of a node goes that no edge leaves (a dangling node). */
typedef enum spmv_dangling {
    SPMV_DANGLING_UNIFORM = 0,  /* to all nodes evenly */
    SPMV_DANGLING_PERSONALIZED, /* to where the walk starts anew */
    SPMV_DANGLING_DROP,         /* nowhere: scores add up to less than 1 */
    SPMV_DANGLING_SELF          /* back to the node, as over a loop */
} spmv_dangling;

/* How the change of the scores is measured: in sum, or by the largest. */
typedef enum spmv_norm { SPMV_NORM_L1 = 0, SPMV_NORM_LINF } spmv_norm;

typedef struct spmv_pagerank_config {
    double damping;     /* in (0, 1); 0.85 when 0 */
    double tolerance;   /* on the change of the scores; 1e-6 when 0 */
    spmv_norm norm;     /* of that change */
    int max_iterations; /* 100 when 0 */
    spmv_dangling dangling;
    bool unweighted;  /* every stored entry that is not 0 is an edge like any other */
    bool extrapolate; /* guess the limit from the last iterations, every eight of them */
    /* SPMV_F32: what nodes hand on, and the shares of edges, are held in single precision (sums
     * never are), and changes below 2e-7 / (1 - damping) may be those of rounding; SPMV_F64 when 0.
     */
    spmv_type precision;
    /* Where the walk starts anew: f64 on the host, [nodes x k], not negative, each column a ranking
     * of its own that is scaled to a sum of 1; NULL: everywhere alike, k = 1. */
    const spmv_dense *personalization;
    /* The first scores, [nodes x k] in the same way; NULL: all alike. */
    const spmv_dense *start;
    const spmv_labels *labels;        /* what messages call the nodes; NULL: 1, 2, ... */
    int threads;                      /* 0: all */
    spmv_progress_callback *progress; /* before the first iteration and after each; NULL: no */
    void *user;                       /* for progress */
} spmv_pagerank_config;

typedef struct spmv_pagerank_result {
    double *ranks; /* [nodes x rankings], column-major; free with spmv_pagerank_destroy */
    int64_t nodes, rankings;
    int64_t dangling; /* nodes without an outgoing edge */
    bool weighted;    /* the edges differ in weight */
    int iterations;   /* those of several rankings go on until all have converged */
    double residual;  /* change of the scores in the last iteration, the largest of all rankings */
    double error_bound; /* the scores are off by no more than this in sum */
    double *history;    /* [iterations] the residuals */
    bool converged;     /* residual < tolerance */
    double elapsed_ms;  /* the iterations alone */
} spmv_pagerank_result;

/* Rank the nodes of a graph; entry (i, j) is an edge i -> j with its value as weight.
 *
 *   A   square, GENERAL; values >= 0 and finite (an explicit 0 is no edge)
 *
 * r <- d A^T D^-1 r + (1 - d) p + d m q, with D the out-weights, p the personalization, m the score
 * of the dangling nodes (out-weight 0) and q as config->dangling says: uniform, p, or 0.  Stops
 * after the first iteration with a residual below the tolerance.  The error bound is d / (1 - d)
 * times the L1 change.  A result that has not converged is still a result.
 *
 * Sums do not depend on the number of threads.  Edges of equal weight load no values: 4 bytes per
 * edge, 40 per node and iteration; others 12 per edge.  Up to eight rankings are computed in one
 * pass over the graph.  Extrapolation (reduced rank: A. Sidi, Vector Extrapolation Methods, 2017,
 * chapter 2) keeps six more vectors and pays where damping is near 1 or parts of the graph hang
 * together loosely.
 * Errors: INVALID_DIMENSION (not square, 2^31 nodes, a vector of another length), INVALID_FORMAT (a
 * negative or non-finite weight or element of personalization or start: the message says where; or
 * a column of these two that adds up to 0), UNSUPPORTED (symmetry not expanded, complex values),
 * INVALID_ARGUMENT (the configuration), OUT_OF_MEMORY.  Memory: a second copy of the graph (a third
 * while it is made) and 42 bytes per node and ranking. */
spmv_status spmv_pagerank(spmv_pagerank_result *out, const spmv_matrix *A,
                          const spmv_pagerank_config *config, spmv_error *err);
/* The same on the GPU of a context.
 *
 * The host makes the graph ready and hands over its first scores; then iterations run in batches of
 * 16, with nothing to wait for in between, and progress is told after each batch.  Scores are those
 * of the CPU up to rounding (1e-12 in double precision), the same bits in every run on a GPU of the
 * same kind.  Extrapolation decides on the GPU, too, and may take another number of iterations.
 * Errors: those of spmv_pagerank; NO_DEVICE (the context is a CPU), OUT_OF_MEMORY and CUDA_MALLOC
 * (also: the graph does not fit on the GPU), CUDA_MEMCPY and KERNEL_LAUNCH.  Memory of the GPU: 2
 * to 4 bytes per edge (those and a score with weights), 24 bytes per node, three scores per node
 * and ranking, with extrapolation eight, and 8 bytes with personalization. */
spmv_status spmv_pagerank_gpu(spmv_pagerank_result *out, const spmv_matrix *A,
                              const spmv_pagerank_config *config, spmv_context *ctx,
                              spmv_error *err);
void spmv_pagerank_destroy(spmv_pagerank_result *result);

/* mask[i] = node i has no outgoing edge; mask is [A->rows].  Weights are ignored but for 0, which
 * is no edge.  Errors: UNSUPPORTED (symmetry not expanded, complex values), OUT_OF_MEMORY. */
spmv_status spmv_dangling_mask(const spmv_matrix *A, bool *mask, spmv_error *err);

/* The k best: nodes[0 .. min(k, n) - 1] by falling score, ties by node; NaN comes last.
 * Errors: INVALID_ARGUMENT (negative n or k, NULL).  Time O(n log k), no memory. */
spmv_status spmv_top_k(const double *scores, int64_t n, int64_t k, int64_t *nodes);

#ifdef __cplusplus
}
#endif
#endif
