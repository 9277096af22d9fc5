/* product_test.h -- random matrices to multiply, and sums that the test makes itself. */
#pragma once

#include "core/base/base.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* ---- Matrices ------------------------------------------------------------------------------- */

/* A number from 0 to n - 1. */
static inline int64_t below(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*state >> 33) % n;
}

/* A value that rounds when it is added; in eight one is 0, of either sign. */
static inline double random_value(uint64_t *state)
{
    const int64_t r = below(state, INT32_MAX);
    if (r % 8 == 0) return r % 16 == 0 ? 0.0 : -0.0;
    return ((double)r - 1e9) / 3e8;
}

static inline double single(spmv_type type, double value)
{
    return type == SPMV_F32 || type == SPMV_C64 ? (double)(float)value : value;
}

/* Makes a matrix whose rows have up to `most` entries, some none; the columns of a row are close
 * together in one row of four. */
static inline spmv_matrix make(uint64_t seed, spmv_type type, int64_t rows, int64_t cols,
                               int64_t most)
{
    uint64_t state = seed * 77 + 1;
    spmv_matrix A = {.format = SPMV_CSR};
    const int64_t room = rows * most;
    int64_t nnz = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, room, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t n = cols > 0 ? below(&state, most + 1) : 0;
        const int64_t step = below(&state, 4) == 0 ? 2 : 2 * cols / (n + 1) + 1;
        int64_t c = below(&state, cols + 1);
        for (int64_t k = 0; k < n && c < cols; k++, nnz++) {
            A.csr.col_idx[nnz] = (int32_t)c;
            const int64_t at = spmv_type_is_complex(type) ? 2 * nnz : nnz;
            for (int64_t part = at; part < at + 1 + spmv_type_is_complex(type); part++) {
                const double value = random_value(&state);
                if (type == SPMV_F64 || type == SPMV_C128) ((double *)A.csr.val)[part] = value;
                if (type == SPMV_F32 || type == SPMV_C64) ((float *)A.csr.val)[part] = (float)value;
            }
            c += 1 + below(&state, step);
        }
        A.csr.row_ptr[i + 1] = nnz;
    }
    A.head.nnz = nnz;
    return A;
}

static inline void value_of(const spmv_matrix *A, int64_t p, double part[2])
{
    const spmv_type type = A->head.type;
    const int64_t at = spmv_type_is_complex(type) ? 2 * p : p;
    part[0] = 1;
    part[1] = 0;
    for (int k = 0; k < 1 + spmv_type_is_complex(type); k++) {
        if (type == SPMV_F64 || type == SPMV_C128) part[k] = ((const double *)A->csr.val)[at + k];
        if (type == SPMV_F32 || type == SPMV_C64)
            part[k] = (double)((const float *)A->csr.val)[at + k];
    }
}

/* Makes one number in nine infinite or 0, be it a part of a complex one. */
static inline void make_some_infinite(spmv_matrix *A, uint64_t seed)
{
    uint64_t state = seed * 91 + 5;
    const spmv_type type = A->head.type;
    const int64_t parts = type == SPMV_PATTERN ? 0 : 1 + spmv_type_is_complex(type);
    for (int64_t k = 0; k < parts * A->head.nnz; k++) {
        const int64_t r = below(&state, 27);
        const double value = r == 0 ? INFINITY : r == 1 ? -INFINITY : 0;
        if (r > 2) continue;
        if (type == SPMV_F64 || type == SPMV_C128) ((double *)A->csr.val)[k] = value;
        if (type == SPMV_F32 || type == SPMV_C64) ((float *)A->csr.val)[k] = (float)value;
    }
}

static inline bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Stops the test unless C is A B: the same places, and the bits of sums in the order of A. */
static inline void check_product(const spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                                 const char *label)
{
    const spmv_csr *a = &A->csr, *b = &B->csr, *c = &C->csr;
    double *sum = calloc((size_t)b->cols * 2 + 1, sizeof *sum);
    char *there = calloc((size_t)b->cols + 1, 1);
    test_assert_valid(C, label);
    cr_assert(c->rows == a->rows && c->cols == b->cols, "%s", label);
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t n = 0, q = c->row_ptr[i];
        for (int64_t p = a->row_ptr[i]; p < a->row_ptr[i + 1]; p++) {
            double x[2], y[2];
            const bool scales = !spmv_type_is_complex(a->type);
            const bool is_scaled = !spmv_type_is_complex(b->type);
            value_of(A, p, x);
            for (int64_t r = b->row_ptr[a->col_idx[p]]; r < b->row_ptr[a->col_idx[p] + 1]; r++) {
                double *s = sum + 2 * b->col_idx[r];
                n += !there[b->col_idx[r]];
                there[b->col_idx[r]] = 1;
                value_of(B, r, y);
                s[0] += scales || is_scaled ? x[0] * y[0] : x[0] * y[0] - x[1] * y[1];
                s[1] += scales ? x[0] * y[1] : is_scaled ? x[1] * y[0] : x[0] * y[1] + x[1] * y[0];
            }
        }
        cr_assert_eq(c->row_ptr[i + 1] - q, n, "%s: row %lld", label, (long long)i);
        for (int64_t j = 0; j < b->cols; j++) {
            if (!there[j]) continue;
            double found[2], *s = sum + 2 * j;
            cr_assert_eq(c->col_idx[q], j, "%s: row %lld", label, (long long)i);
            value_of(C, q++, found);
            const bool is_complex = spmv_type_is_complex(c->type);
            for (int k = 0; c->type != SPMV_PATTERN && k < 1 + is_complex; k++)
                cr_assert(is_same(single(c->type, s[k]), found[k]), "%s: (%lld, %lld) %a %a", label,
                          (long long)i, (long long)j, s[k], found[k]);
            s[0] = s[1] = 0;
            there[j] = 0;
        }
    }
    free(sum);
    free(there);
}
