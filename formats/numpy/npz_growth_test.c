/* npz_growth_test.c -- archives of SciPy are under the rule for the growth of all packed files. */
#include "spmv.h"

#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEADER = 128 };

/* An array of `count` truth values, all of them False: a few bytes, deflated. */
static void put_zeros(struct archive *zip, const char *name, int64_t count)
{
    static char zeros[1 << 20];
    char head[HEADER + 1];
    const int n = snprintf(head, sizeof head,
                           "\x93NUMPY\x01%c\x76%c{'descr': '|b1', 'fortran_order': False, 'shape': "
                           "(%lld,), }",
                           0, 0, (long long)count);
    struct archive_entry *entry = archive_entry_new();
    memset(head + n, ' ', (size_t)(HEADER - n));
    head[HEADER - 1] = '\n';
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, HEADER + count);
    cr_assert_eq(archive_write_header(zip, entry), ARCHIVE_OK);
    cr_assert_eq(archive_write_data(zip, head, HEADER), HEADER);
    for (int64_t left = count; left > 0; left -= (int64_t)sizeof zeros)
        archive_write_data(zip, zeros, left < (int64_t)sizeof zeros ? (size_t)left : sizeof zeros);
    archive_entry_free(entry);
}

static void assert_told(int64_t count, const char *phrase)
{
    char path[64];
    spmv_matrix A;
    spmv_error err = {.message = ""};
    struct archive *zip = archive_write_new();
    snprintf(path, sizeof path, "/tmp/spmv-growth-%ld.npz", (long)getpid());
    archive_write_set_format_zip(zip);
    cr_assert_eq(archive_write_zip_set_compression_deflate(zip), ARCHIVE_OK);
    cr_assert_eq(archive_write_open_filename(zip, path), ARCHIVE_OK);
    put_zeros(zip, "data.npy", count);
    put_zeros(zip, "indices.npy", 1);
    cr_assert_eq(archive_write_free(zip), ARCHIVE_OK);
    const spmv_status st =
        spmv_read(&A, path, &(spmv_read_options){.file_format = "npz"}, NULL, &err);
    unlink(path);
    cr_assert_eq(st, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, phrase), "%s", err.message);
}

Test(npz_growth, is_limited_as_that_of_everything_packed)
{
    assert_told(1000, "does not hold integers");
    assert_told(INT64_C(120) << 20, "unpack to more than 256 times");
}
