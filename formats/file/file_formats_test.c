/* file_formats_test.c -- the table of file formats, and which of them a file is in. */
#include "spmv.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(formats, the_table)
{
    bool mtx = false, binary = false;
    cr_assert_null(spmv_file_format_named("cvs"));
    cr_assert_null(spmv_file_format_named(NULL));
    cr_assert_str_eq(spmv_file_format_named("csv")->name, "el");
    cr_assert_str_eq(spmv_file_format_named("binary")->name, "binary");
    cr_assert_null(spmv_file_format_at(-1));
    cr_assert_null(spmv_file_format_at(spmv_file_format_count()));
    for (int i = 0; i < spmv_file_format_count(); i++) {
        const spmv_file_format *format = spmv_file_format_at(i);
        /* These three need a library. */
        cr_assert(format->reads || format->writes || strcmp(format->name, "npz") == 0 ||
                      strcmp(format->name, "binsparse") == 0 || strcmp(format->name, "mat") == 0,
                  "%s", format->name);
        cr_assert_eq(format->suffixes[0], '.', "%s", format->name);
        cr_assert_gt(strlen(format->summary), 10, "%s", format->name);
        mtx = mtx || strcmp(format->name, "mtx") == 0;
        binary = binary || strcmp(format->name, "binary") == 0;
    }
    cr_assert(mtx && binary);
}

static char path[96];

/* Write the bytes to a file of this name's suffix and read it. */
static spmv_status read_as(const char *suffix, const char *bytes, size_t size,
                           const char *file_format, spmv_error *err)
{
    spmv_matrix A;
    spmv_read_options options = {.file_format = file_format};
    snprintf(path, sizeof path, "/tmp/spmv-formats-%ld%s", (long)getpid(), suffix);
    FILE *f = fopen(path, "w");
    fwrite(bytes, 1, size, f);
    fclose(f);
    memset(err, 0, sizeof *err);
    spmv_status st = spmv_read(&A, path, &options, NULL, err);
    unlink(path);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

static void assert_says(spmv_status st, const spmv_error *err, spmv_status expected,
                        const char *phrase)
{
    cr_assert_eq(st, expected, "%s: %s", spmv_status_name(st), err->message);
    cr_assert_not_null(strstr(err->message, phrase), "'%s' lacks '%s'", err->message, phrase);
}

static const char mtx[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5\n";

Test(formats, content_decides_whatever_the_name)
{
    static const char *const suffixes[] = {"", ".mtx", ".csr", ".txt", ".d/x"};
    static const char *const before[] = {"", "  \n\t", "\xef\xbb\xbf", "\xef\xbb\xbf \r\n"};
    char text[200];
    spmv_error err;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            snprintf(text, sizeof text, "%s%s", before[j], mtx);
            cr_assert_eq(read_as(suffixes[i], text, strlen(text), NULL, &err), SPMV_SUCCESS, "%s",
                         err.message);
        }
}

Test(formats, the_suffix_decides_who_complains)
{
    spmv_error err;
    assert_says(read_as(".mtx", "1 2 3\n", 6, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "begins with a banner");
    assert_says(read_as(".MTX", "1 2 3\n", 6, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "begins with a banner");
    assert_says(read_as("", "?", 1, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "in no known format");
    assert_says(read_as(".unknown", "?", 1, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "in no known format");
    cr_assert_str_eq(err.file, path);
}

Test(formats, a_named_format_is_taken_at_its_word)
{
    spmv_error err;
    cr_assert_eq(read_as("", mtx, sizeof mtx - 1, "mtx", &err), SPMV_SUCCESS);
    assert_says(read_as("", "1 2 3\n", 6, "mtx", &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "begins with a banner");
    assert_says(read_as("", mtx, sizeof mtx - 1, "mxt", &err), &err, SPMV_ERROR_INVALID_ARGUMENT,
                "no file format 'mxt'");
}

Test(formats, what_is_handed_over_by_mistake_is_named)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *phrase;
    } cases[] = {
        {"\x89HDF\r\n\x1a\n.", 9, "HDF5"},
        {"MATLAB 5.0 MAT-file,", 20, "MATLAB"},
        {"MATLAB 7.3 MAT-file,", 20, "MATLAB file"},
    };
    spmv_error err;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_says(read_as(".mtx", cases[i].bytes, cases[i].size, NULL, &err), &err,
                    SPMV_ERROR_UNSUPPORTED, cases[i].phrase);
    assert_says(read_as("", "\x1f", 1, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT,
                "no known format");
    assert_says(read_as("", "", 0, NULL, &err), &err, SPMV_ERROR_INVALID_FORMAT, "is empty");
}

Test(formats, arguments)
{
    spmv_matrix A;
    spmv_error err;
    cr_assert_eq(spmv_read(NULL, "x", NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_read(&A, NULL, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_read(&A, "/no/such/file", NULL, NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_eq(A.head.nnz, 0);
}

/* Whether every byte is 0. */
static bool is_empty(const void *out, size_t size)
{
    const unsigned char *byte = out;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != 0) return false;
    return true;
}

/* Outputs that held something else are empty after every failure, also the first one. */
Test(formats, a_refusal_leaves_nothing_to_release)
{
    static const char *const paths[] = {NULL, "/no/such/file"};
    spmv_comm *comm;
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 2; i++) {
        spmv_matrix A;
        spmv_part part;
        spmv_file_info info, part_info;
        spmv_dense x, scores;
        spmv_labels labels;
        int32_t *partition = (int32_t *)&A;
        char *bytes = (char *)&A;
        spmv_row_writer *writer = (spmv_row_writer *)&A;
        size_t size;
        memset(&A, 0x55, sizeof A);
        memset(&part, 0x55, sizeof part);
        memset(&info, 0x55, sizeof info);
        memset(&part_info, 0x55, sizeof part_info);
        memset(&x, 0x55, sizeof x);
        memset(&scores, 0x55, sizeof scores);
        memset(&labels, 0x55, sizeof labels);
        cr_assert_neq(spmv_read(&A, paths[i], NULL, &info, NULL), SPMV_SUCCESS);
        cr_expect(is_empty(&A, sizeof A) && is_empty(&info, sizeof info));
        cr_assert_neq(
            spmv_read_part(&part, comm, paths[i], SPMV_PARTITION_NONZEROS, NULL, &part_info, NULL),
            SPMV_SUCCESS);
        cr_expect(is_empty(&part, sizeof part) && is_empty(&part_info, sizeof part_info));
        cr_assert_neq(spmv_read_vector(&x, paths[i], NULL, NULL), SPMV_SUCCESS);
        cr_expect(is_empty(&x, sizeof x));
        cr_assert_neq(spmv_read_labels(&labels, paths[i], 1, NULL, NULL), SPMV_SUCCESS);
        cr_expect(labels.n == 0 && labels.names == NULL && labels.name_ptr == NULL &&
                  labels.id == NULL);
        cr_assert_neq(spmv_read_scores(&scores, paths[i], &labels, "scores", NULL, NULL),
                      SPMV_SUCCESS);
        cr_expect(is_empty(&scores, sizeof scores));
        cr_assert_neq(spmv_read_partition(&partition, paths[i], 1, 1, NULL, NULL), SPMV_SUCCESS);
        cr_expect_null(partition);
        cr_assert_neq(spmv_read_bytes(&bytes, &size, NULL, paths[i], NULL), SPMV_SUCCESS);
        cr_expect_null(bytes);
        if (i == 0)
            cr_assert_neq(spmv_row_writer_create(&writer, paths[i], NULL, NULL), SPMV_SUCCESS);
        cr_expect(i == 1 || writer == NULL);
    }
    spmv_comm_close(comm);
}

static int first_byte(void)
{
    FILE *f = fopen(path, "r");
    const int byte = f != NULL ? fgetc(f) : EOF;
    if (f != NULL) fclose(f);
    unlink(path);
    return byte;
}

Test(formats, an_output_is_named_or_follows_the_suffix)
{
    static const struct {
        const char *suffix, *name;
        int first_byte;
    } cases[] = {{".mtx", NULL, '%'}, {".csr", NULL, 0x89},     {".CSR", NULL, 0x89},
                 {"", NULL, '%'},     {".mtx", "binary", 0x89}, {".csr", "mtx", '%'}};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 2, 2, 0, NULL), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_write_options options = {.file_format = cases[i].name};
        snprintf(path, sizeof path, "/tmp/spmv-written-%ld%s", (long)getpid(), cases[i].suffix);
        cr_assert_eq(spmv_write(&A, path, &options, NULL), SPMV_SUCCESS, "%zu", i);
        cr_assert_eq(first_byte(), cases[i].first_byte, "%zu", i);
    }
    spmv_destroy(&A);
}

Test(formats, an_output_that_cannot_be)
{
    const spmv_write_options unknown = {.file_format = "mxt"};
    double value = 1;
    const spmv_dense x = {.type = SPMV_F64, .rows = 1, .cols = 1, .data = &value};
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-written-%ld.csr", (long)getpid());
    assert_says(spmv_write(&A, path, &unknown, &err), &err, SPMV_ERROR_INVALID_ARGUMENT,
                "no file format 'mxt'");
    assert_says(spmv_write(NULL, path, NULL, &err), &err, SPMV_ERROR_INVALID_ARGUMENT, "A");
    assert_says(spmv_write(&A, NULL, NULL, &err), &err, SPMV_ERROR_INVALID_ARGUMENT, "path");
    assert_says(spmv_write_vector(&x, path, &unknown, &err), &err, SPMV_ERROR_INVALID_ARGUMENT,
                "no file format 'mxt'");
    assert_says(spmv_write_vector(&x, path, NULL, &err), &err, SPMV_ERROR_UNSUPPORTED,
                "hold no vectors");
    cr_assert_eq(access(path, F_OK), -1);
}

/* What cannot hold them says so, rather than lose half of every value. */
Test(formats, complex_values_are_written_whole_or_not_at_all)
{
    static const char *const holders[] = {"mtx", "binary", "npz", "npy", "binsparse", "rb", "mat"};
    enum { HOLDERS = sizeof holders / sizeof holders[0] };
    double value[2] = {1, 2};
    const spmv_dense x = {.type = SPMV_C128, .rows = 1, .cols = 1, .data = value};
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_error err;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_C128, 1, 1, 1, NULL), SPMV_SUCCESS);
    A.csr.row_ptr[1] = 1;
    snprintf(path, sizeof path, "/tmp/spmv-written-%ld", (long)getpid());
    for (int i = 0; i < spmv_file_format_count(); i++) {
        const spmv_file_format *f = spmv_file_format_at(i);
        const spmv_write_options options = {.file_format = f->name};
        int holder = 0;
        while (holder < HOLDERS && strcmp(holders[holder], options.file_format) != 0) holder++;
        const spmv_status st = spmv_write(&A, path, &options, &err);
        const bool holds = holder < HOLDERS && f->writes;
        cr_assert_eq(st, holds ? SPMV_SUCCESS : SPMV_ERROR_UNSUPPORTED, "%s: %s", f->name,
                     err.message);
        cr_assert_eq(access(path, F_OK) == 0, st == SPMV_SUCCESS, "%s", f->name);
        unlink(path);
    }
    const spmv_write_options text = {.file_format = "text"};
    assert_says(spmv_write_vector(&x, path, &text, &err), &err, SPMV_ERROR_UNSUPPORTED,
                "a complex vector");
    cr_assert_eq(access(path, F_OK), -1);
    spmv_destroy(&A);
}
