/* typed_matrix.c -- the functions of spmv_matrix under the name of each format: spmv_csr_destroy,
 * spmv_ell_from_csr, ...  Nothing happens here but putting the struct into a spmv_matrix. */
#include "core/base/base.h"

/* Put *A (or nothing, when A is NULL) into a matrix M; `given` is then &M or NULL. */
#define WRAP(id, name)                        \
    spmv_matrix M;                            \
    const spmv_matrix *given = A ? &M : NULL; \
    memset(&M, 0, sizeof M);                  \
    M.format = id;                            \
    if (A != NULL) M.name = *A

#define X(id, name, meaning)                                                                 \
    void spmv_##name##_destroy(spmv_##name *A)                                               \
    {                                                                                        \
        WRAP(id, name);                                                                      \
        if (given == NULL) return;                                                           \
        spmv_destroy(&M);                                                                    \
        memset(A, 0, sizeof *A);                                                             \
    }                                                                                        \
    spmv_status spmv_##name##_from_dense(spmv_##name *out, spmv_type type, int64_t rows,     \
                                         int64_t cols, const double *dense, spmv_error *err) \
    {                                                                                        \
        SPMV__REQUIRE(out != NULL, err);                                                     \
        spmv_matrix B;                                                                       \
        spmv_status st = spmv_from_dense(&B, id, type, rows, cols, dense, err);              \
        *out = B.name;                                                                       \
        return st;                                                                           \
    }                                                                                        \
    void spmv_##name##_to_dense(const spmv_##name *A, double *dense)                         \
    {                                                                                        \
        WRAP(id, name);                                                                      \
        spmv_to_dense(given, dense);                                                         \
    }                                                                                        \
    spmv_status spmv_##name##_from_csr(spmv_##name *out, const spmv_csr *A, spmv_error *err) \
    {                                                                                        \
        SPMV__REQUIRE(out != NULL && (const void *)out != A, err);                           \
        WRAP(SPMV_CSR, csr);                                                                 \
        spmv_matrix B;                                                                       \
        spmv_status st = spmv_convert(&B, given, id, NULL, err);                             \
        *out = B.name;                                                                       \
        return st;                                                                           \
    }                                                                                        \
    spmv_status spmv_##name##_to_csr(spmv_csr *out, const spmv_##name *A, spmv_error *err)   \
    {                                                                                        \
        SPMV__REQUIRE(out != NULL && (const void *)out != A, err);                           \
        WRAP(id, name);                                                                      \
        spmv_matrix B;                                                                       \
        spmv_status st = spmv_convert(&B, given, SPMV_CSR, NULL, err);                       \
        *out = B.csr;                                                                        \
        return st;                                                                           \
    }                                                                                        \
    spmv_status spmv_##name##_get_element(const spmv_##name *A, int64_t row, int64_t col,    \
                                          spmv_scalar *value, spmv_error *err)               \
    {                                                                                        \
        WRAP(id, name);                                                                      \
        return spmv_get_element(given, row, col, value, err);                                \
    }
SPMV_FORMAT_TABLE(X)
#undef X
