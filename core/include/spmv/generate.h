/* spmv/generate.h -- generated matrices; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_GENERATE_H
#define SPMV_GENERATE_H

#include "spmv/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of a generated matrix.  Members that a kind does not use are ignored; 0 means the
 * kind's default.
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
                            symmetric in kinds that are */
    SPMV_VALUES_ONES
} spmv_generate_values;

typedef struct spmv_generate_options {
    spmv_type type; /* SPMV_PATTERN: no values */
    spmv_generate_values values;
    uint64_t seed;
    int threads; /* 0: all */
#define X(member, number, name, argument, meaning) number member;
    SPMV_GENERATE_PARAMETERS(X)
#undef X
} spmv_generate_options;

typedef struct spmv_generator {
    const char *name; /* "stencil27" */
    const char *summary;
    /* Names of the options it looks at, the main one first: "rows cols per-row". */
    const char *uses;
    bool symmetric; /* A = A^T, values included */
    spmv_generate_options defaults;
} spmv_generator;

int spmv_generator_count(void);
const spmv_generator *spmv_generator_at(int i);              /* NULL outside 0 .. count-1 */
const spmv_generator *spmv_generator_find(const char *name); /* NULL: no such kind */
/* Returns whether a kind looks at the option of this name. */
bool spmv_generator_uses(const spmv_generator *kind, const char *option);
/* Returns whether another seed makes another matrix, by the type, values and per_row of the
 * options; options that leave no choice, such as a density of 1, are not looked at. */
bool spmv_generator_is_random(const spmv_generator *kind, const spmv_generate_options *options);

/* Make a matrix, the same on every machine and for every number of threads: a row follows from
 * the seed and its own number alone, in rmat from edges that follow so.  Memory: the matrix and,
 * per thread, a few times the longest row; rmat holds 4 bytes for each edge before it merges them.
 * Errors: INVALID_ARGUMENT (no such kind, type or values, a size that makes no sense),
 * INVALID_DIMENSION (more rows than a matrix has), OUT_OF_MEMORY. */
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

#ifdef __cplusplus
}
#endif
#endif
