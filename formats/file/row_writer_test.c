/* row_writer_test.c -- files that take a matrix in pieces of rows, against the same files written
 * as a whole. */
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/file/scratch_folder_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

TestSuite(row_writer, .init = open_folder, .fini = remove_folder);

static char *take_file(const char *path, size_t *size)
{
    struct stat info;
    const int fd = open(path, O_RDONLY);
    cr_assert(fd >= 0 && fstat(fd, &info) == 0, "%s", path);
    *size = (size_t)info.st_size;
    char *data = malloc(*size + 1);
    cr_assert_eq(read(fd, data, *size), info.st_size);
    close(fd);
    unlink(path);
    return data;
}

static void assert_same_files(const char *a, const char *b, const char *label)
{
    size_t n, m;
    char *x = take_file(a, &n), *y = take_file(b, &m);
    cr_assert_eq(n, m, "%s: %zu and %zu bytes", label, n, m);
    cr_assert_eq(memcmp(x, y, n), 0, "%s", label);
    free(x);
    free(y);
}

/* Hand A out in pieces of `step` rows, as far as the writer takes it. */
static spmv_status hand_out(const spmv_csr *A, int64_t step, const spmv_row_consumer *to,
                            spmv_error *err)
{
    spmv_piece_memory memory = {0};
    spmv_csr shape = *A;
    const size_t size = spmv_type_size(A->type);
    spmv_status st;
    shape.col_idx = NULL;
    shape.val = NULL;
    SPMV__TRY(to->begin(to->user, &shape, err));
    for (int64_t r = 0; r < A->rows; r += step) {
        const int64_t end = A->rows - r < step ? A->rows : r + step, at = A->row_ptr[r];
        const spmv_row_piece piece = {r, end, A->row_ptr[end] - at, A->col_idx + at,
                                      size > 0 ? (const char *)A->val + (size_t)at * size : NULL};
        memory.size = 0;
        if (to->prepare != NULL) SPMV__TRY(to->prepare(to->user, &piece, &memory, err));
        SPMV__TRY(to->take(to->user, &piece, &memory, err));
    }
done:
    free(memory.data);
    return st;
}

static void check_same(const spmv_csr *A, int64_t step, const char *path,
                       const spmv_write_options *options, const char *label)
{
    const spmv_matrix whole = spmv__wrap_csr(A);
    spmv_row_writer *w;
    spmv_error err = {0};
    cr_assert_eq(spmv_row_writer_create(&w, path, options, &err), SPMV_SUCCESS, "%s", err.message);
    const spmv_row_consumer to = spmv_row_writer_consumer(w);
    cr_assert_eq(hand_out(A, step, &to, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_neq(access(path, F_OK), 0, "%s: it appears before it is whole", label);
    cr_assert_eq(spmv_row_writer_commit(&w, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_null(w);
    char other[64];
    snprintf(other, sizeof other, "whole-%s", path);
    cr_assert_eq(spmv_write(&whole, other, options, &err), SPMV_SUCCESS);
    assert_same_files(path, other, label);
}

Test(row_writer, the_bytes_of_the_whole_file)
{
    static const char *const paths[] = {"C.mtx", "C.csr", "C.mtx.gz"};
    for (int type = 0; type < SPMV_TYPES; type++) {
        for (int k = 0; k < 12; k++) {
            test_sample s = test_sample_make(k, (spmv_type)type, 0);
            const int64_t rows = s.A.head.rows;
            for (int i = 0; i < 3; i++) {
                check_same(&s.A.csr, 1 + rows / 7, paths[i], NULL, s.label);
                check_same(&s.A.csr, rows + 1, paths[i], NULL, s.label);
            }
            spmv_destroy(&s.A);
        }
    }
}

/* A row longer than what becomes text at once, and than a block of a checksum. */
Test(row_writer, long_rows)
{
    enum { N = 400000 };
    spmv_csr A;
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 3, N, 2 * N, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < 2 * N; p++) {
        A.col_idx[p] = (int32_t)(p % N);
        ((double *)A.val)[p] = 1.0 / (double)(p + 1);
    }
    A.row_ptr[1] = N;
    A.row_ptr[2] = N;
    A.row_ptr[3] = 2 * N;
    check_same(&A, 1, "C.mtx", NULL, "a row each");
    check_same(&A, 1, "C.csr", NULL, "a row each");
    spmv_csr_destroy(&A);
}

Test(row_writer, labels_are_kept_where_the_format_holds_them)
{
    test_sample s = test_sample_make(0, SPMV_F32, 0);
    int64_t id[] = {17};
    const spmv_labels labels = {.n = 1, .first = 1, .id = id}, from_0 = {.n = 1};
    cr_assert_eq(s.A.head.rows, 1);
    check_same(&s.A.csr, 1, "C.csr", &(spmv_write_options){.labels = &labels}, "labels");
    check_same(&s.A.csr, 1, "C.csr", &(spmv_write_options){.labels = &from_0}, "from 0");
    check_same(&s.A.csr, 1, "C.mtx", &(spmv_write_options){.labels = &labels}, "labels");
    spmv_destroy(&s.A);
}

Test(row_writer, what_it_refuses)
{
    spmv_row_writer *w;
    spmv_error err;
    cr_assert_eq(spmv_row_writer_create(&w, "C.npz", NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message,
                     "files of the format npz are written only as a whole, not in pieces of rows");
    cr_assert_null(w);

    static const char *const outputs[] = {"/dev/null", "C.csr.gz"};
    for (int k = 0; k < 2; k++) {
        const spmv_write_options options = {.file_format = "binary"};
        cr_assert_eq(spmv_row_writer_create(&w, outputs[k], &options, &err),
                     SPMV_ERROR_UNSUPPORTED);
        cr_assert_not_null(strstr(err.message, "only as a regular file"), "%s", err.message);
        cr_assert_null(w);
    }
    spmv_row_writer_discard(NULL);
}

/* What nothing was handed to is no file, and nothing stays of it. */
Test(row_writer, commit_without_rows)
{
    spmv_row_writer *w;
    spmv_error err;
    cr_assert_eq(spmv_row_writer_create(&w, "C.csr", NULL, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_row_writer_commit(&w, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(w);
}

/* Entries 1 to 6 of the rows 0, 1 and 3, in four rows; the consumer gets arrays that it is not to
 * look at, and then pieces between these rows, of which there may be a fifth, without entries. */
static spmv_status write_pieces(const char *path, const int64_t *rows, int pieces, int64_t missing,
                                spmv_error *err)
{
    static int64_t row_ptr[] = {0, 2, 4, 4, 6, 6};
    static int32_t col[] = {0, 2, 1, 2, 0, 1}, none[6];
    static double val[] = {1, 2, 3, 4, 5, 6}, nothing[6];
    const spmv_csr C = {.type = SPMV_F64,
                        .rows = 4,
                        .cols = 3,
                        .nnz = 6,
                        .row_ptr = row_ptr,
                        .col_idx = none,
                        .val = nothing};
    spmv_row_writer *w;
    spmv_piece_memory memory = {0};
    spmv_status st;
    SPMV__TRY(spmv_row_writer_create(&w, path, NULL, err));
    const spmv_row_consumer to = spmv_row_writer_consumer(w);
    SPMV__TRY(to.begin(to.user, &C, err));
    for (int k = 0; k < pieces; k++) {
        const int64_t at = row_ptr[rows[k]], n = row_ptr[rows[k + 1]] - at - missing;
        const spmv_row_piece piece = {rows[k], rows[k + 1], n, col + at, val + at};
        memory.size = 0;
        if (to.prepare != NULL) SPMV__TRY(to.prepare(to.user, &piece, &memory, err));
        SPMV__TRY(to.take(to.user, &piece, &memory, err));
    }
    st = spmv_row_writer_commit(&w, err);
done:
    spmv_row_writer_discard(w);
    free(memory.data);
    return st;
}

Test(row_writer, rows_that_are_missing_or_too_many)
{
    static const char *const paths[] = {"C.mtx", "C.csr"};
    static const struct {
        int64_t rows[4];
        int pieces;
        int64_t missing;
        const char *message;
    } cases[] = {
        {{0}, 0, 0, "only 0 of 4 rows have been handed out"},
        {{0, 3}, 1, 0, "only 3 of 4 rows have been handed out"},
        {{0, 1, 2}, 2, 0, "only 2 of 4 rows have been handed out"},
        {{1, 4}, 1, 0, "rows 1 to 4 with 4 entries are not what follows 0 of 4 rows"},
        {{0, 2, 1}, 2, 0, "rows 2 to 1 with -2 entries are not what follows 2 of 4 rows"},
        {{0, 4}, 1, 1, "rows 0 to 4 with 5 entries are not what follows 0 of 4 rows"},
        {{0, 5}, 1, 0, "rows 0 to 5 with 6 entries are not what follows 0 of 4 rows"},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++) {
        const char *path = paths[k % 2];
        spmv_error err;
        cr_expect_eq(
            write_pieces(path, cases[k / 2].rows, cases[k / 2].pieces, cases[k / 2].missing, &err),
            SPMV_ERROR_INVALID_ARGUMENT);
        cr_expect_str_eq(err.message, cases[k / 2].message);
        cr_expect_neq(access(path, F_OK), 0, "%s, case %zu", path, k / 2);
    }
}

/* What lies in the arrays of C is not in the file. */
Test(row_writer, entries_are_those_of_the_pieces)
{
    static const double dense[] = {1, 0, 2, 0, 3, 4, 0, 0, 0, 5, 6, 0};
    static const char *const paths[] = {"C.mtx", "C.csr"};
    spmv_matrix expected, found;
    cr_assert_eq(spmv_from_dense(&expected, SPMV_CSR, SPMV_F64, 4, 3, dense, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 2; k++) {
        spmv_error err = {0};
        cr_assert_eq(write_pieces(paths[k], (const int64_t[]){0, 1, 4}, 2, 0, &err), SPMV_SUCCESS,
                     "%s", err.message);
        cr_assert_eq(spmv_read(&found, paths[k], NULL, NULL, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert(spmv_identical(&found, &expected), "%s", paths[k]);
        spmv_destroy(&found);
        unlink(paths[k]);
    }
    spmv_destroy(&expected);
}

/* What is discarded half way leaves nothing, and neither does spmv_abandon_writes. */
Test(row_writer, another_matrix_is_refused)
{
    static const char *const paths[] = {"C.mtx", "C.csr"};
    test_sample s = test_sample_make(5, SPMV_F64, TEST_SMALL_CELLS);
    for (int k = 0; k < 2; k++) {
        spmv_row_writer *w;
        spmv_matrix found;
        cr_assert_eq(spmv_row_writer_create(&w, paths[k], NULL, NULL), SPMV_SUCCESS);
        const spmv_row_consumer to = spmv_row_writer_consumer(w);
        if (to.prepare != NULL)
            cr_assert_eq(to.prepare(to.user, &(spmv_row_piece){0}, NULL, NULL),
                         SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_eq(hand_out(&s.A.csr, 5, &to, NULL), SPMV_SUCCESS);
        cr_assert_eq(hand_out(&s.A.csr, 5, &to, NULL), SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_eq(spmv_row_writer_commit(&w, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_read(&found, paths[k], NULL, NULL, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&found, &s.A), "%s", paths[k]);
        spmv_destroy(&found);
        unlink(paths[k]);
    }
    spmv_destroy(&s.A);
}

Test(row_writer, nothing_is_left_of_a_half)
{
    test_sample s = test_sample_make(5, SPMV_F64, 0);
    for (int abandoned = 0; abandoned < 2; abandoned++) {
        spmv_row_writer *w;
        spmv_error err;
        cr_assert_eq(spmv_row_writer_create(&w, "C.csr", NULL, &err), SPMV_SUCCESS);
        const spmv_row_consumer to = spmv_row_writer_consumer(w);
        cr_assert_eq(hand_out(&s.A.csr, 5, &to, &err), SPMV_SUCCESS);
        if (abandoned) spmv_abandon_writes();
        spmv_row_writer_discard(w);
    }
    spmv_destroy(&s.A);
}
