/* partition_files_test.c -- which rank has which row, from text. */
#include "formats/file/scratch_folder_test.h"
#include "spmv.h"

#include <stdio.h>
#include <string.h>

TestSuite(partition_files, .init = open_folder, .fini = remove_folder);

static spmv_status read_text(int32_t **out, const char *text, int64_t rows, int ranks,
                             spmv_error *err)
{
    FILE *f = fopen("parts", "w");
    fputs(text, f);
    fclose(f);
    const spmv_status st = spmv_read_partition(out, "parts", rows, ranks, NULL, err);
    unlink("parts");
    return st;
}

static void assert_read(const char *text, int64_t rows, int ranks, const int32_t *expected)
{
    int32_t *rank;
    spmv_error err = {0};
    cr_assert_eq(read_text(&rank, text, rows, ranks, &err), SPMV_SUCCESS, "%s in\n%s", err.message,
                 text);
    for (int64_t r = 0; r < rows; r++) cr_assert_eq(rank[r], expected[r], "row %lld", (long long)r);
    free(rank);
}

Test(partition_files, one_number_a_line)
{
    const int32_t rank[] = {2, 0, 0, 1};
    assert_read("2\n0\n0\n1\n", 4, 3, rank);
    assert_read("2\r\n0\r\n0\r\n1", 4, 7, rank);
    assert_read("# of 3\n 2\n\n0 \n% half\n0\n1\n\n", 4, 3, rank);
    assert_read("", 0, 1, NULL);
    assert_read("0\n", 1, 1, rank + 1);
}

static void count_warning(void *user, const spmv_error *warning)
{
    (void)warning;
    ++*(int *)user;
}

Test(partition_files, what_is_odd_is_told)
{
    int told = 0;
    int32_t *rank;
    const spmv_read_options options = {.warn = count_warning, .user = &told};
    FILE *f = fopen("parts", "w");
    fputs("\xef\xbb\xbf"
          "0\r1\r",
          f);
    fclose(f);
    cr_assert_eq(spmv_read_partition(&rank, "parts", 2, 2, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(rank[1], 1);
    cr_assert_gt(told, 0);
    unlink("parts");
    free(rank);
}

static void assert_refused(const char *text, int64_t rows, spmv_status status, int64_t line,
                           int64_t column, const char *message)
{
    int32_t *rank;
    spmv_error err = {0};
    cr_assert_eq(read_text(&rank, text, rows, 3, &err), status, "%s in\n%s", err.message, text);
    cr_assert_str_eq(err.message, message);
    cr_assert_str_eq(err.file, "parts");
    cr_assert(err.line == line && err.column == column, "%lld:%lld", (long long)err.line,
              (long long)err.column);
    cr_assert_null(rank);
}

Test(partition_files, errors_say_where)
{
    const spmv_status format = SPMV_ERROR_INVALID_FORMAT, size = SPMV_ERROR_INVALID_DIMENSION;
    assert_refused("0\n3\n", 2, format, 2, 1, "part 3 is outside 0..2");
    assert_refused("0\n\n  -1\n", 2, format, 3, 3, "part -1 is outside 0..2");
    assert_refused("99999999999999999999\n", 1, format, 1, 1,
                   "part 9223372036854775807 is outside 0..2");
    assert_refused("0 1\n", 2, format, 1, 3, "a line of a partition holds one number");
    assert_refused("1\n1.5\n", 2, format, 2, 1,
                   "'1.5' is not an integer; the number of a part is expected here");
    assert_refused("1\n1\n", 3, size, 0, 0, "the partition is of 2 rows, the matrix has 3");
    assert_refused("1\n1\n1\n", 2, size, 0, 0, "the partition is of 3 rows, the matrix has 2");
    assert_refused("", 1, size, 0, 0, "the partition is of 0 rows, the matrix has 1");
}
