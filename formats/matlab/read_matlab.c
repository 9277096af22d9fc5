/* read_matlab.c -- a sparse matrix of MATLAB's becomes COO.
 *
 * In a file of the SuiteSparse collection it is Problem.A, and Problem.Zeros has the entries whose
 * value is 0, which no sparse matrix of MATLAB's holds.  Elsewhere it is the one that is asked for,
 * or the only one. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "formats/common/file_format.h"
#include "formats/matlab/matlab.h"
#include "formats/stream/stream.h"
#include "formats/text/number.h"

#include <stdio.h>
#include <string.h>

/* ---- The choice ----------------------------------------------------------------------------- */

enum { LISTED = 160 }; /* bytes of names in a message */

typedef struct variable_choice {
    const char *wanted;
    bool found;                    /* what is wanted, or else Problem.A */
    int sparse;                    /* how many there are */
    char first[SPMV__MATLAB_NAME]; /* of them, or the one that was found */
    bool zeros;                    /* whether there is a Problem.Zeros */
    char names[LISTED];            /* of the sparse ones, */
    char others[LISTED];           /* and of all others */
} variable_choice;

static void add_name(char names[LISTED], const char *name)
{
    const size_t used = strlen(names);
    const char *comma = used > 0 ? ", " : "";
    if (used + strlen(name) + 8 < LISTED)
        snprintf(names + used, LISTED - used, "%s%s", comma, name);
    else if (used > 3 && strcmp(names + used - 3, "...") != 0)
        snprintf(names + used, LISTED - used, "%s...", comma);
}

/* What cannot be printed in a name becomes a question mark. */
static void take_name(char out[SPMV__MATLAB_NAME], const char *name)
{
    snprintf(out, SPMV__MATLAB_NAME, "%s", name);
    for (char *p = out; *p != '\0'; p++)
        if (*p < ' ' || *p > '~') *p = '?';
}

static void consider(void *user, const char *name, bool sparse)
{
    variable_choice *c = user;
    char printed[SPMV__MATLAB_NAME];
    take_name(printed, name);
    add_name(sparse ? c->names : c->others, printed);
    if (!sparse) return;
    c->zeros = c->zeros || strcmp(name, "Problem.Zeros") == 0;
    const bool fits = strcmp(name, c->wanted != NULL ? c->wanted : "Problem.A") == 0;
    if (c->sparse++ == 0 || (fits && !c->found)) snprintf(c->first, sizeof c->first, "%s", name);
    c->found = c->found || fits;
}

static spmv_status choose(variable_choice *c, const spmv__matlab *file, const spmv__source *src,
                          const spmv_read_options *options, spmv_error *err)
{
    *c = (variable_choice){.wanted = options->member};
    spmv__matlab_each(file, consider, c);
    if (c->found || (c->wanted == NULL && c->sparse == 1)) return SPMV_SUCCESS;
    if (c->sparse == 0)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "the file holds no sparse matrix%s%s",
                                 c->others[0] != '\0' ? ", only: " : "", c->others);
    if (c->wanted != NULL)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "the file has no sparse matrix '%.60s'; it holds: %s", c->wanted,
                                 c->names);
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                             "%d sparse matrices of the file could be meant, `member` chooses: %s",
                             c->sparse, c->names);
}

/* ---- One variable --------------------------------------------------------------------------- */

/* The arrays are as long as they must be, and every index is where it may be.  *nnz becomes the
 * number of entries; MATLAB allows room after them. */
static spmv_status check(const spmv__matlab_sparse *S, const spmv__source *src, int64_t *nnz,
                         spmv_error *err)
{
    spmv_error reason;
    const int64_t used = S->row_count * 4 + S->col_count * 4 + S->value_count * S->size;
    if (spmv__growth_check(src->size, used, &reason) != SPMV_SUCCESS)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, "%s", reason.message);
    if (S->rows > UINT32_MAX || S->cols >= UINT32_MAX || S->col_count != (int64_t)S->cols + 1)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "%lld pointers to columns do not go with a shape of %llu x %llu",
                                 (long long)S->col_count, (unsigned long long)S->rows,
                                 (unsigned long long)S->cols);
    for (int64_t c = 0; c < S->col_count; c++) {
        const int64_t low = c == 0 ? 0 : S->col_ptr[c - 1], high = c == 0 ? 0 : S->row_count;
        if (S->col_ptr[c] < low || S->col_ptr[c] > high)
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "the pointer to column %lld is %lld, outside %lld..%lld",
                                     (long long)c + 1, (long long)S->col_ptr[c], (long long)low,
                                     (long long)high);
    }
    *nnz = S->col_ptr[S->cols];
    if (*nnz > S->value_count)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "there are %lld entries, but %lld values", (long long)*nnz,
                                 (long long)S->value_count);
    for (int64_t p = 0; p < *nnz; p++)
        if (S->row_idx[p] >= S->rows)
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "entry %lld is in row %lld of %lld", (long long)p + 1,
                                     (long long)S->row_idx[p] + 1, (long long)S->rows);
    return SPMV_SUCCESS;
}

/* Number p of an array; *exact is false where no double holds it. */
static double number_at(const spmv__matlab_sparse *S, const void *array, int64_t p, bool *exact)
{
    const char *at = (const char *)array + p * S->size;
    uint64_t bits = 0;
    double real;
    float single;
    if (S->kind == 'f' && S->size == 4) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    if (S->kind == 'f') {
        memcpy(&real, at, sizeof real);
        return real;
    }
    for (int i = 0; i < S->size; i++) {
        const int byte = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? i : S->size - 1 - i;
        bits = bits << 8 | (unsigned char)at[byte];
    }
    const bool negative = S->kind == 'i' && bits >> (8 * S->size - 1) != 0;
    const uint64_t beyond = S->size == 8 ? 0 : ~(uint64_t)0 << (8 * S->size);
    const uint64_t magnitude = negative ? -(bits | beyond) : bits;
    *exact = *exact && spmv__is_exact(magnitude);
    return negative ? -(double)magnitude : (double)magnitude;
}

/* True and nothing else is a pattern. */
static bool is_pattern(const spmv__matlab_sparse *S, int64_t nnz)
{
    bool exact = true;
    if (!S->logical || S->im != NULL) return false;
    for (int64_t p = 0; p < nnz; p++)
        if (number_at(S, S->re, p, &exact) == 0) return false;
    return true;
}

/* Append the entries of S to A, which has room for them; values are 0 where there is no array. */
static bool append(spmv_coo *A, const spmv__matlab_sparse *S, bool values)
{
    bool exact = true;
    for (int64_t c = 0; c < (int64_t)S->cols; c++)
        for (uint32_t p = S->col_ptr[c]; p < S->col_ptr[c + 1]; p++) {
            spmv_scalar value = {0};
            if (values && A->type != SPMV_PATTERN) value.re = number_at(S, S->re, p, &exact);
            if (values && S->im != NULL) value.im = number_at(S, S->im, p, &exact);
            if (values && S->logical) value.re = value.re != 0;
            A->row_idx[A->nnz] = S->row_idx[p];
            A->col_idx[A->nnz] = c;
            spmv__set_scalar(A->type, A->val, A->nnz++, value);
        }
    return exact;
}

/* ---- The matrix ----------------------------------------------------------------------------- */

/* The variable of the choice as coordinates, in the order of the file, with its explicit zeros. */
static spmv_status build(spmv_coo *A, spmv__matlab *file, const variable_choice *c,
                         const spmv__source *src, spmv_error *err)
{
    spmv__matlab_sparse S, Z = {0};
    int64_t nnz, zeros = 0;
    spmv_status st;

    SPMV__TRY(spmv__matlab_get(file, c->first, &S, err));
    SPMV__TRY(check(&S, src, &nnz, err));
    if (c->zeros && strcmp(c->first, "Problem.A") == 0) {
        SPMV__TRY(spmv__matlab_get(file, "Problem.Zeros", &Z, err));
        SPMV__TRY(check(&Z, src, &zeros, err));
        if (Z.rows != S.rows || Z.cols != S.cols)
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "Problem.A and Problem.Zeros have different shapes");
    }
    const spmv_type type = zeros == 0 && is_pattern(&S, nnz) ? SPMV_PATTERN
                           : S.im != NULL                    ? SPMV_C128
                                                             : SPMV_F64;
    SPMV__TRY(spmv_coo_create(A, type, (int64_t)S.rows, (int64_t)S.cols, nnz + zeros, err));
    A->nnz = 0;
    if (!append(A, &S, true))
        st = spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                               "a value of the matrix is an integer that double precision cannot "
                               "hold");
    if (zeros > 0) append(A, &Z, false);
done:
    return st;
}

static spmv_status read_matrix(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    spmv_matrix A = {.format = SPMV_COO};
    spmv__matlab *file = NULL;
    spmv_error reason;
    variable_choice c;
    spmv_status st;

    SPMV__TRY(spmv__matlab_open(&file, src, err));
    SPMV__TRY(choose(&c, file, src, options, err));
    SPMV__TRY(build(&A.coo, file, &c, src, err));
    spmv__matlab_close(file);
    file = NULL;
    info->entries = A.head.nnz;
    info->has_values = A.head.type != SPMV_PATTERN;
    st = spmv_coo_sort(&A.coo, options->duplicates, &info->duplicates, &reason);
    if (st != SPMV_SUCCESS) {
        spmv__source_fail(src, err, st, 0, 0, "%s", reason.message);
        goto done;
    }
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv__matlab_close(file);
    spmv_destroy(&A);
    return st;
}

const spmv__file_format spmv__matlab_file = {
    .info = {.name = "mat",
             .suffixes = ".mat",
             .summary = "MATLAB sparse matrix, version 5 or 7.3; read when it is named only",
             .reads = true,
             .writes = true},
    .only_by_name = true,
    .members = true,
    .read = read_matrix,
    .write = spmv__matlab_write,
};
