/* status_test.c -- the codes that callers rely on. */
#include "core/base/base.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(status, published_codes)
{
    static const struct {
        spmv_status status;
        int code;
        const char *name;
    } expected[] = {
        {SPMV_SUCCESS, 0, "SPMV_SUCCESS"},
        {SPMV_ERROR_INVALID_DIMENSION, -1, "SPMV_ERROR_INVALID_DIMENSION"},
        {SPMV_ERROR_CUDA_MALLOC, -2, "SPMV_ERROR_CUDA_MALLOC"},
        {SPMV_ERROR_CUDA_MEMCPY, -3, "SPMV_ERROR_CUDA_MEMCPY"},
        {SPMV_ERROR_KERNEL_LAUNCH, -4, "SPMV_ERROR_KERNEL_LAUNCH"},
        {SPMV_ERROR_INVALID_FORMAT, -5, "SPMV_ERROR_INVALID_FORMAT"},
        {SPMV_ERROR_FILE_IO, -6, "SPMV_ERROR_FILE_IO"},
        {SPMV_ERROR_OUT_OF_MEMORY, -7, "SPMV_ERROR_OUT_OF_MEMORY"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cr_assert_eq((int)expected[i].status, expected[i].code);
        cr_assert_str_eq(spmv_status_name(expected[i].status), expected[i].name);
        cr_assert_gt(strlen(spmv_error_string(expected[i].status)), 0);
    }
    cr_assert_str_eq(spmv_error_string((spmv_status)-99), "unknown status");
}

Test(status, the_version_is_made_of_its_numbers)
{
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", SPMV_VERSION_MAJOR, SPMV_VERSION_MINOR,
             SPMV_VERSION_PATCH);
    cr_assert_str_eq(SPMV_VERSION, version);
    cr_assert_str_eq(spmv_version(), version);
}

Test(status, fail_keeps_the_sentence_and_clears_the_place)
{
    spmv_error err = {.line = 7, .column = 9, .file = "old", .message = "old"};
    cr_assert_eq(spmv__fail(&err, SPMV_ERROR_FILE_IO, "no %s", "luck"), SPMV_ERROR_FILE_IO);
    cr_assert_str_eq(err.message, "no luck");
    cr_assert_str_empty(err.file);
    cr_assert_eq(err.line, 0);
    cr_assert_eq(err.column, 0);
    cr_assert_eq(spmv__fail(NULL, SPMV_ERROR_FILE_IO, "ignored"), SPMV_ERROR_FILE_IO);
}

Test(memory, overflow_and_more_than_the_machine_has_are_refused_with_numbers)
{
    spmv_error err;
    void *p = &err;
    cr_assert_eq(spmv__alloc(&p, INT64_MAX, 8, "row_ptr", &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_null(p);
    cr_assert_not_null(strstr(err.message, "row_ptr needs 73.79 EB, more than"));
    cr_assert_eq(spmv__alloc(&p, INT64_MAX / 16, 8, "row_ptr", &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, "row_ptr needs 4.612 EB, this machine"));
    cr_assert_eq(spmv__alloc(&p, 0, 8, "nothing", &err), SPMV_SUCCESS);
    cr_assert_not_null(p);
    free(p);
}
