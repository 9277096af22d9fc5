/* spmv/matrix.h -- the matrix formats; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_MATRIX_H
#define SPMV_MATRIX_H

#include "spmv/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that arrays may live in when they are not malloc'ed one by one: a mapped file, or that of
 * a GPU. */
typedef struct spmv_storage {
    void (*release)(struct spmv_storage *self);
} spmv_storage;

/* The storage of arrays that belong to the caller, who keeps them longer than the matrix or the
 * vector: nothing is ever freed. */
#define SPMV_BORROWED spmv_borrowed()
spmv_storage *spmv_borrowed(void); /* never NULL, and the same at every call */

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
 * beside CSC whose columns may exceed 32 bits. */
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

/* Sliced ELL with compressed columns: rows are sorted and cut as in SELL, but slice s keeps its
 * columns in the encoding that takes the fewest bytes, in the words code_ptr[s] .. code_ptr[s + 1]
 * - 1 of `code`.  The slots of a slice are its steps, of `slice` lanes each: step k of lane i sits
 * at slice_ptr[s] + k * slice + i.  Some encodings are filled up with words that are 0 and have no
 * meaning, so that accesses are aligned and bits can be taken eight at a time. */
enum { SPMV_CSELL_LANES = 32, SPMV_CSELL_SLICE = 1024 }; /* a slice is so many lanes, at most */
typedef enum spmv_csell_encoding {
    /* [steps * slice] columns; -1 is padding, always last in its row. */
    SPMV_CSELL_FAR = 0,
    /* [steps / 2 rounded up * slice] words: step 2 j in the low half of word j * slice + i, step
     * 2 j + 1 in the high half, each column - base; 0xffff is padding.  Then base, and 7 words. */
    SPMV_CSELL_NEAR,
    /* [steps rounded up to 8] column - row, ascending, the same in all lanes; no padding. */
    SPMV_CSELL_DIAGONAL,
    /* The words of DIAGONAL, and behind them, 4 in a word, the lowest first, [steps / 8 rounded up
     * * slice] bytes: bit b of byte j * slice + i says that step 8 j + b of lane i is an entry. */
    SPMV_CSELL_DIAGONAL_MASKED,
    /* These two are like the two before, with the column itself instead of column - row. */
    SPMV_CSELL_COLUMN,
    SPMV_CSELL_COLUMN_MASKED,
    /* 8 bits for each slot, 4 in a word, the lowest first: step 4 j + b is byte b of word j * slice
     * + i, column - row - base; 0xff is padding, always last in its row.  Then base, and 7 words.
     */
    SPMV_CSELL_BYTE,
    /* Neighbouring lanes have the same columns, a list, in runs of one length, which divides the
     * steps.  First base, the number of lists, that length, and 5 words, then [slice / 32 rounded
     * up to 8] words with a bit for each lane, which is set where a list begins; then [lists *
     * (steps / length) rounded up to 8] halves of words, the low one first, with the first column
     * of each run of the first list - base, then of the next list; 0xffff is padding, always last.
     */
    SPMV_CSELL_LISTS,
    /* The same with a word for each run, base 0, and -1 as padding. */
    SPMV_CSELL_LISTS_FAR,
    /* The words of LISTS_FAR for runs of one column, and then bytes as in DIAGONAL_MASKED: lanes
     * have some columns of their list. */
    SPMV_CSELL_LISTS_MASKED,
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

/* Dense blocks: rows and columns are cut into groups of `block`, and where a group of rows meets a
 * group of columns in an entry, all places are stored, column by column.  Place i of a block is an
 * entry where bit i % 32 of word i / 32 of its mask is set; all other bits are 0. */
enum { SPMV_BSR_BLOCK = 16 }; /* rows in a block, at most; at least 2 */
typedef struct spmv_bsr {
    SPMV_MATRIX_HEAD;
    int64_t block;    /* rows of a block, and columns */
    int64_t blocks;   /* that are stored */
    int64_t *row_ptr; /* [rows / block rounded up + 1], the blocks of each group of rows */
    int32_t *col_idx; /* [blocks] group of columns, ascending within a group of rows */
    int32_t *mask;    /* [blocks * words], words = block * block / 32 rounded up; none is empty */
    void *val;        /* [blocks * block * block], 0 where no entry is; NULL for a pattern */
} spmv_bsr;

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
    X(SPMV_CSELL, csell, "sliced ELLPACK, columns in the fewest bytes")        \
    X(SPMV_BSR, bsr, "dense blocks, one column for each")

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

#ifdef __cplusplus
}
#endif
#endif
