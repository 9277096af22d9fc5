/* hypersparse_test.c -- binary files of a few bytes with more rows than there is memory for a
 * number each: what can be done in the space of the entries is. */
#include "core/matrix/format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static char path[64], other[80];

static void name_files(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-hypersparse-%ld.bin", (long)getpid());
}

static void remove_files(void)
{
    unlink(path);
    unlink(other);
}

TestSuite(hypersparse, .init = name_files, .fini = remove_files);

/* Formats in which rows without entries cost no bytes. */
static const struct {
    spmv_format format;
    int64_t rows;
} heads[] = {{SPMV_ELL, INT64_C(1) << 50},
             {SPMV_HYB, INT64_C(1) << 50},
             {SPMV_CSC, INT32_MAX},
             {SPMV_COO, INT64_C(1) << 50}};
enum { HEADS = sizeof heads / sizeof heads[0] };

static spmv_matrix read_head(int i)
{
    const spmv_write_options binary = {.overwrite = true, .file_format = "binary"};
    spmv_matrix A = spmv__blank(heads[i].format, SPMV_PATTERN, SPMV_GENERAL, heads[i].rows, 3, 0);
    spmv_error err = {.message = ""};
    cr_assert_eq(spmv__allocate(&A, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_write(&A, path, &binary, &err), SPMV_SUCCESS, "%s", err.message);
    spmv_destroy(&A);
    cr_assert_eq(spmv_read(&A, path, NULL, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(A.format == heads[i].format && A.head.rows == heads[i].rows);
    return A;
}

Test(hypersparse, is_described)
{
    for (int i = 0; i < HEADS; i++) {
        spmv_error err = {.message = ""};
        spmv_row_stats rows;
        spmv_structure structure;
        spmv_size size;
        spmv_matrix A = read_head(i);
        cr_assert_eq(spmv_row_stats_compute(&A, &rows, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(rows.empty, heads[i].rows);
        cr_assert_eq(spmv_structure_compute(&A, &structure, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(structure.empty_rows, heads[i].rows);
        cr_assert_eq(spmv_size_of(&A, SPMV_HYB, NULL, &size, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(size.bytes, 0);
        spmv_destroy(&A);
    }
}

Test(hypersparse, is_written_in_every_format_that_lists_entries)
{
    static const char *const formats[] = {"mtx", "el", "npz", "binsparse"};
    for (int i = 0; i < HEADS; i++)
        for (int k = 0; k < 4; k++) {
            const spmv_write_options options = {.overwrite = true, .file_format = formats[k]};
            spmv_error err = {.message = ""};
            spmv_matrix A = read_head(i);
            snprintf(other, sizeof other, "%s.%s", path, formats[k]);
            const spmv_status st = spmv_write(&A, other, &options, &err);
            /* A build may lack a library. */
            cr_assert(st == SPMV_SUCCESS || st == SPMV_ERROR_UNSUPPORTED, "%s: %s", formats[k],
                      err.message);
            if (k == 0) cr_assert_eq(st, SPMV_SUCCESS);
            unlink(other);
            spmv_destroy(&A);
        }
}

Test(hypersparse, is_refused_before_anything_is_allocated_where_each_row_takes_memory)
{
    for (int i = 0; i < HEADS; i++) {
        spmv_error err = {.message = ""};
        spmv_matrix A = read_head(i), B;
        if (heads[i].rows > INT32_MAX) {
            cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, &err), SPMV_ERROR_OUT_OF_MEMORY);
            cr_assert_not_null(strstr(err.message, "converting to csr needs"), "%s", err.message);
        }
        spmv_destroy(&A);
    }
}
