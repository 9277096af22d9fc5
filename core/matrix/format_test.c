/* format_test.c -- names, ownership and comparison. */
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(format, names_lead_to_formats_and_back)
{
    static const char *const names[] = {"coo", "csr",  "csc",   "ell", "hyb",
                                        "jds", "sell", "csell", "bsr"};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_format found = SPMV_FORMATS;
        cr_assert_str_eq(spmv_format_name((spmv_format)f), names[f]);
        cr_assert(spmv_format_find(names[f], &found) && (int)found == f);
    }
    spmv_format found = SPMV_ELL;
    cr_assert_not(spmv_format_find("CSR5", &found));
    cr_assert_not(spmv_format_find(NULL, &found));
    cr_assert_eq(found, SPMV_ELL);
    cr_assert_str_eq(spmv_format_name(SPMV_FORMATS), "unknown format");
}

Test(format, value_types)
{
    cr_assert(spmv_type_size(SPMV_PATTERN) == 0 && spmv_type_size(SPMV_F32) == 4 &&
              spmv_type_size(SPMV_F64) == 8 && spmv_type_size(SPMV_C64) == 8 &&
              spmv_type_size(SPMV_C128) == 16 && spmv_type_size(SPMV_TYPES) == 0);
    cr_assert_str_eq(spmv_type_name(SPMV_PATTERN), "pattern");
    cr_assert_str_eq(spmv_type_name(SPMV_F32), "f32");
    cr_assert_str_eq(spmv_type_name(SPMV_F64), "f64");
    cr_assert_str_eq(spmv_type_name(SPMV_C64), "c64");
    cr_assert_str_eq(spmv_type_name(SPMV_C128), "c128");
    cr_assert_str_eq(spmv_type_name((spmv_type)-1), "unknown type");
    for (int type = 0; type < SPMV_TYPES; type++)
        cr_assert_eq(spmv_type_is_complex((spmv_type)type), type == SPMV_C64 || type == SPMV_C128);
}

static const double dense[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};

Test(format, bytes_count_padding_too)
{
    static const size_t expected[] = {
        5 * (8 + 8 + 4),              /* COO */
        4 * 8 + 5 * (4 + 4),          /* CSR */
        5 * 8 + 5 * (4 + 4),          /* CSC */
        6 * (4 + 4),                  /* ELL */
        6 * (4 + 4),                  /* HYB: all in the ELL part */
        3 * 4 + 3 * 8 + 5 * (4 + 4),  /* JDS */
        3 * 4 + 2 * 8 + 64 * (4 + 4), /* SELL: one slice of 32 rows, two wide, and sorted */
        3 * 4 + 4 + 4 * 8 + 64 * 4 + (16 + 3 * 4) * 4, /* CSELL: the same, three lists of halves */
        2 * 8 + 4 + 4 + 16 * 4,                        /* BSR: one block of 4 x 4 */
    };
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_F32, 3, 4, dense, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_memory_bytes(&A), expected[f], "%s", spmv_format_name((spmv_format)f));
        spmv_destroy(&A);
    }
    cr_assert_eq(spmv_memory_bytes(NULL), 0);
}

Test(format, identical_notices_every_difference)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv__format *format = spmv__format_of((spmv_format)f);
        spmv_matrix A, B;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_F64, 3, 4, dense, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&A, &B));
        for (int i = 0; i < format->array_count; i++) {
            if (spmv__array_bytes(&B, &format->arrays[i]) == 0) continue;
            unsigned char *bytes = *spmv__array_pointer(&B, &format->arrays[i]);
            bytes[spmv__array_bytes(&B, &format->arrays[i]) - 1] ^= 0x80;
            cr_assert_not(spmv_identical(&A, &B), "%s of %s", format->arrays[i].name, format->name);
            bytes[spmv__array_bytes(&B, &format->arrays[i]) - 1] ^= 0x80;
        }
        for (int i = 0; i < format->param_count; i++) {
            int64_t *param = (int64_t *)(void *)((char *)&B + format->params[i]);
            ++*param;
            cr_assert_not(spmv_identical(&A, &B), "%s", format->name);
            --*param;
        }
        B.head.cols++;
        cr_assert_not(spmv_identical(&A, &B));
        B.head.cols--;
        cr_assert(spmv_identical(&A, &B));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    spmv_matrix A = {.format = SPMV_CSR}, B = {.format = SPMV_CSC};
    cr_assert_not(spmv_identical(&A, &B));
    cr_assert_not(spmv_identical(&A, NULL));
    A.format = B.format = SPMV_FORMATS;
    cr_assert_not(spmv_identical(&A, &B));
}

Test(format, destroy_clears_and_may_be_called_again)
{
    static const spmv_matrix empty;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_F64, 3, 4, dense, NULL),
                     SPMV_SUCCESS);
        spmv_destroy(&A);
        cr_assert_arr_eq(&A, &empty, sizeof A);
        spmv_destroy(&A);
    }
    spmv_destroy(NULL);
}

/* Storage that owns the arrays of a matrix, and counts how often it is released. */
typedef struct counted {
    spmv_storage storage;
    spmv_matrix owned;
    int released;
} counted;

static void release(spmv_storage *self)
{
    counted *c = (counted *)(void *)self;
    c->released++;
    spmv_destroy(&c->owned);
}

Test(format, arrays_in_shared_storage_are_released_with_it_and_copies_are_not_in_it)
{
    counted c = {.storage = {release}};
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&c.owned, SPMV_CSR, SPMV_F64, 3, 4, dense, NULL), SPMV_SUCCESS);
    A = c.owned;
    A.head.storage = &c.storage;
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &B));
    cr_assert_null(B.head.storage);
    spmv_csr_destroy(&A.csr);
    cr_assert_eq(c.released, 1);
    cr_assert_null(A.head.storage);
    spmv_destroy(&B);
}

Test(format, created_arrays_are_zero_and_hold_no_entry_of_ell)
{
    spmv_csc A;
    spmv_ell B;
    cr_assert_eq(spmv_csc_create(&A, SPMV_F32, 2, 3, 1, NULL), SPMV_SUCCESS);
    for (int c = 0; c <= 3; c++) cr_assert_eq(A.col_ptr[c], 0);
    cr_assert(A.rows == 2 && A.cols == 3 && A.nnz == 1 && A.symmetry == SPMV_GENERAL);
    cr_assert(A.row_idx[0] == 0 && ((float *)A.val)[0] == 0);
    spmv_csc_destroy(&A);
    cr_assert_eq(spmv_ell_create(&B, SPMV_PATTERN, 2, 3, 2, NULL), SPMV_SUCCESS);
    for (int p = 0; p < 4; p++) cr_assert_eq(B.col_idx[p], -1);
    cr_assert(B.nnz == 0 && B.val == NULL);
    spmv_ell_destroy(&B);
}

Test(format, create_refuses_what_cannot_be)
{
    spmv_csr A;
    spmv_error err;
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, -1, 0, 0, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_not_null(strstr(err.message, "-1 rows"), "%s", err.message);
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, INT64_MAX, 1, 0, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 1, 1, INT64_MAX, &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, "col_idx is larger than can be addressed"), "%s",
                       err.message);
    cr_assert_eq(spmv_csr_create(&A, (spmv_type)5, 1, 1, 1, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_null(A.row_ptr);
    cr_assert_eq(spmv_coo_create(NULL, SPMV_F64, 1, 1, 1, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_csr_create(NULL, SPMV_F64, 1, 1, 1, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_csc_create(NULL, SPMV_F64, 1, 1, 1, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_ell_create(NULL, SPMV_F64, 1, 1, 1, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_hyb_create(NULL, SPMV_F64, 1, 1, 1, 1, &err), SPMV_ERROR_INVALID_ARGUMENT);
}
