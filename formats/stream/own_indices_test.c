/* own_indices_test.c -- what another program writes to a mapped file, and what it cannot reach. */
#include "core/matrix/format.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64], other[64];

static void choose_paths(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-own-%ld", (long)getpid());
    snprintf(other, sizeof other, "/tmp/spmv-own-%ld.mtx", (long)getpid());
}

static void remove_files(void)
{
    unlink(path);
    unlink(other);
}

TestSuite(own, .init = choose_paths, .fini = remove_files);

static void copy_file(const char *from)
{
    char bytes[1 << 14];
    FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
    cr_assert_not_null(in, "%s", from);
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    cr_assert(size > 0 && size < sizeof bytes);
    cr_assert_eq(fwrite(bytes, 1, size, out), size);
    fclose(in);
    fclose(out);
}

/* Everything but the header, in place. */
static void overwrite_file(void)
{
    enum { HEADER = 192 };
    const int fd = open(path, O_WRONLY);
    const off_t size = lseek(fd, 0, SEEK_END);
    usleep(20000); /* the clock of a file system has ticks */
    for (off_t at = HEADER; at < size; at++) cr_assert_eq(pwrite(fd, "\x7f", 1, at), 1);
    close(fd);
}

/* The names of the arrays of A that another program has changed, each followed by a blank. */
static void list_changed(const spmv_matrix *A, char *names)
{
    const spmv__format *format = spmv__format_of(A->format);
    void *before[16];
    for (int i = 0; i < format->array_count; i++) {
        const spmv__array *array = &format->arrays[i];
        const size_t bytes = (size_t)spmv__array_bytes(A, array);
        before[i] = malloc(bytes + 1);
        memcpy(before[i], spmv__array_data(A, array), bytes);
    }
    overwrite_file();
    names[0] = '\0';
    for (int i = 0; i < format->array_count; i++) {
        const spmv__array *array = &format->arrays[i];
        const size_t bytes = (size_t)spmv__array_bytes(A, array);
        if (memcmp(before[i], spmv__array_data(A, array), bytes) != 0)
            strcat(strcat(names, array->name), " ");
        free(before[i]);
    }
}

static spmv_matrix read_worked(const char *format, bool trust)
{
    char worked[256];
    spmv_matrix A;
    spmv_error err;
    snprintf(worked, sizeof worked, SPMV_TESTDATA "/good/worked.%s", format);
    copy_file(worked);
    cr_assert_eq(spmv_read(&A, path, &(spmv_read_options){.trust = trust}, NULL, &err),
                 SPMV_SUCCESS, "%s", err.message);
    return A;
}

/* In each format: what stays in the file, and what does after spmv_own_indices. */
static const struct {
    const char *format, *mapped, *owned;
} cases[] = {
    {"coo", "col_idx val ", "val "},
    {"csr", "row_ptr col_idx val ", "val "},
    {"csc", "val ", "val "},
    {"ell", "col_idx val ", "val "},
    {"hyb", "ell.col_idx ell.val coo.col_idx coo.val ", "ell.val coo.val "},
    {"jds", "col_idx val ", "val "},
    {"sell", "slice_ptr col_idx val ", "val "},
    {"csell", "code_ptr code slice_ptr val ", "val "},
    {"bsr", "row_ptr col_idx mask val ", "val "},
};

Test(own, what_leads_to_where_a_product_writes_is_out_of_reach)
{
    char changed[256];
    cr_assert_eq(sizeof cases / sizeof cases[0], SPMV_FORMATS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix A = read_worked(cases[i].format, false);
        list_changed(&A, changed);
        cr_assert_str_eq(changed, cases[i].mapped, "%s: %s", cases[i].format, changed);
        spmv_destroy(&A);

        A = read_worked(cases[i].format, false);
        cr_assert_eq(spmv_own_indices(&A, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_own_indices(&A, NULL), SPMV_SUCCESS);
        list_changed(&A, changed);
        cr_assert_str_eq(changed, cases[i].owned, "%s: %s", cases[i].format, changed);
        spmv_destroy(&A);
    }
}

/* A signal handler is told of 64 files that are mapped at the same time, and not of more. */
Test(own, of_any_number_of_files)
{
    enum { FILES = 300 };
    static spmv_matrix all[FILES];
    char changed[256];
    for (int i = 0; i < FILES; i++) all[i] = read_worked("coo", false);
    spmv_matrix A = read_worked("coo", false);
    list_changed(&A, changed);
    cr_assert_str_eq(changed, "col_idx val ");
    spmv_destroy(&A);
    A = read_worked("coo", false);
    cr_assert_eq(spmv_own_indices(&A, NULL), SPMV_SUCCESS);
    list_changed(&A, changed);
    cr_assert_str_eq(changed, "val ");
    spmv_destroy(&A);
    for (int i = 0; i < FILES; i++) spmv_destroy(&all[i]);
}

Test(own, of_a_view_on_what_is_mapped)
{
    char changed[256];
    spmv_matrix A = read_worked("coo", false), view = A;
    view.head.storage = SPMV_BORROWED;
    cr_assert_eq(spmv_own_indices(&view, NULL), SPMV_SUCCESS);
    list_changed(&view, changed);
    cr_assert_str_eq(changed, "val ");
    spmv_destroy(&view);
    spmv_destroy(&A);
}

Test(own, what_has_changed_before_is_found)
{
    spmv_error err;
    spmv_matrix A = read_worked("csr", false);
    overwrite_file();
    cr_assert_eq(spmv_own_indices(&A, &err), SPMV_ERROR_INVALID_FORMAT);
    spmv_destroy(&A);
}

Test(own, a_trusted_file_is_used_as_it_lies)
{
    char changed[256];
    spmv_matrix A = read_worked("jds", true);
    list_changed(&A, changed);
    cr_assert_str_eq(changed, "perm diag_ptr col_idx val ");
    spmv_destroy(&A);
}

Test(own, a_change_is_told_and_stops_outputs_that_ask)
{
    const spmv_write_options options = {.unchanged = true, .overwrite = true};
    spmv_error err;
    spmv_matrix A = read_worked("csr", false);
    cr_assert_null(spmv_changed_file(NULL));
    cr_assert_null(spmv_changed_file(A.csr.val));
    cr_assert_eq(spmv_write_bytes("x", 1, other, &options, &err), SPMV_SUCCESS);
    unlink(other);
    overwrite_file();
    cr_assert_str_eq(spmv_changed_file(NULL), path);
    cr_assert_str_eq(spmv_changed_file(A.csr.val), path);
    cr_assert_null(spmv_changed_file(path));
    cr_assert_eq(spmv_write_bytes("x", 1, other, &options, &err), SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, "changed"), "%s", err.message);
    cr_assert_str_eq(err.file, path);
    cr_assert_neq(access(other, F_OK), 0);
    spmv_destroy(&A);
    cr_assert_null(spmv_changed_file(NULL));
    cr_assert_eq(spmv_write_bytes("x", 1, other, &options, &err), SPMV_SUCCESS);
}

/* A remark comes when the numbers have been counted and before they are stored: there is memory for
 * one of them. */
static void write_more(void *user, const spmv_error *warning)
{
    (void)user, (void)warning;
    FILE *f = fopen(path, "r+");
    for (int i = 0; i < 4096; i++) fputs("1\n", f);
    fclose(f);
}

Test(own, a_vector_that_grows_while_it_is_read)
{
    spmv_dense x;
    spmv_error err;
    FILE *f = fopen(path, "w");
    fprintf(f, "1e400\n%%%*s\n", 8192, "a comment"); /* infinite, with a remark */
    fclose(f);
    usleep(20000);
    cr_assert_eq(spmv_read_vector(&x, path, &(spmv_read_options){.warn = write_more}, &err),
                 SPMV_ERROR_FILE_IO);
    cr_assert_not_null(strstr(err.message, "changed"), "%s", err.message);
}
