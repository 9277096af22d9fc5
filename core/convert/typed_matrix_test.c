/* typed_matrix_test.c -- the functions that carry the name of a format do what the general ones do.
 */
#include "spmv.h"

#include <criterion/criterion.h>

static const double dense[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};

#define X(id, name, meaning)                                                                      \
    Test(typed, name)                                                                             \
    {                                                                                             \
        static const spmv_##name empty;                                                           \
        spmv_matrix csr, expected, given = {.format = id};                                        \
        spmv_csr back;                                                                            \
        spmv_##name from;                                                                         \
        spmv_scalar value = {0, 0};                                                               \
        double array[12];                                                                         \
        cr_assert_eq(spmv_from_dense(&csr, SPMV_CSR, SPMV_F64, 3, 4, dense, NULL), SPMV_SUCCESS); \
        cr_assert_eq(spmv_convert(&expected, &csr, id, NULL, NULL), SPMV_SUCCESS);                \
                                                                                                  \
        cr_assert_eq(spmv_##name##_from_dense(&given.name, SPMV_F64, 3, 4, dense, NULL),          \
                     SPMV_SUCCESS);                                                               \
        cr_assert(spmv_identical(&given, &expected));                                             \
        spmv_##name##_to_dense(&given.name, array);                                               \
        cr_assert_arr_eq(array, dense, sizeof dense);                                             \
        cr_assert_eq(spmv_##name##_get_element(&given.name, 1, 2, &value, NULL), SPMV_SUCCESS);   \
        cr_assert(value.re == 4 && value.im == 0);                                                \
        cr_assert_eq(spmv_##name##_get_element(&given.name, 3, 0, &value, NULL),                  \
                     SPMV_ERROR_INVALID_DIMENSION);                                               \
                                                                                                  \
        cr_assert_eq(spmv_##name##_to_csr(&back, &given.name, NULL), SPMV_SUCCESS);               \
        cr_assert_arr_eq(back.row_ptr, csr.csr.row_ptr, 4 * sizeof *back.row_ptr);                \
        spmv_##name##_destroy(&given.name);                                                       \
        cr_assert_arr_eq(&given.name, &empty, sizeof empty);                                      \
        cr_assert_eq(spmv_##name##_from_csr(&given.name, &back, NULL), SPMV_SUCCESS);             \
        cr_assert(spmv_identical(&given, &expected));                                             \
                                                                                                  \
        cr_assert_eq(spmv_##name##_from_csr(&from, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);     \
        cr_assert_arr_eq(&from, &empty, sizeof empty);                                            \
        cr_assert_eq(spmv_##name##_to_csr(&(spmv_csr){.nnz = 1}, NULL, NULL),                     \
                     SPMV_ERROR_INVALID_ARGUMENT);                                                \
        cr_assert_eq(spmv_##name##_get_element(NULL, 0, 0, &value, NULL),                         \
                     SPMV_ERROR_INVALID_ARGUMENT);                                                \
        spmv_##name##_to_dense(NULL, array);                                                      \
        spmv_##name##_destroy(NULL);                                                              \
                                                                                                  \
        spmv_##name##_destroy(&given.name);                                                       \
        spmv_csr_destroy(&back);                                                                  \
        spmv_destroy(&csr);                                                                       \
        spmv_destroy(&expected);                                                                  \
    }
SPMV_FORMAT_TABLE(X)
#undef X
