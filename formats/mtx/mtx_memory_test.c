/* mtx_memory_test.c -- when allocation number k fails, for every k, reading and writing report it
 * and give back what they had. */
#include "formats/stream/failing_test.h"
#include "formats/mtx/mtx.h"

#include <unistd.h>

static char path[64];

static spmv_status read_matrix(const char *file, spmv_error *err)
{
    static const spmv_matrix empty;
    const spmv_read_options drop = {.drop_zeros = true};
    spmv_matrix A;
    spmv_status st = spmv_read(&A, file, &drop, NULL, err);
    if (st != SPMV_SUCCESS) cr_assert_arr_eq(&A, &empty, sizeof A);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

static spmv_status read_vector(const char *file, spmv_error *err)
{
    spmv_dense x;
    spmv_status st = spmv_read_vector(&x, file, NULL, err);
    spmv_dense_destroy(&x);
    return st;
}

static const double dense[] = {1, 0, 2, 3};

static spmv_status write_matrix(const char *file, spmv_error *err)
{
    spmv_matrix A;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write_mtx(&A, file, NULL, err);
    cr_assert_eq(access(file, F_OK) == 0, st == SPMV_SUCCESS);
    unlink(file);
    spmv_destroy(&A);
    return st;
}

static spmv_status write_vector(const char *file, spmv_error *err)
{
    double values[] = {1, 2, 3, 4};
    const spmv_dense x = {.type = SPMV_F64, .rows = 4, .cols = 1, .data = values};
    spmv_status st = spmv_write_vector(&x, file, NULL, err);
    cr_assert_eq(access(file, F_OK) == 0, st == SPMV_SUCCESS);
    unlink(file);
    return st;
}

Test(mtx_memory, every_allocation_of_a_reader_may_fail)
{
    static const char *const files[] = {"plain",      "symmetric", "symmetric_both_halves",
                                        "skew_upper", "duplicate", "array_symmetric",
                                        "unsorted",   "pattern"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s/good/%s.mtx", SPMV_TESTDATA, files[i]);
        cr_assert_gt(fail_each(read_matrix, name), 5, "%s", name);
    }
}

Test(mtx_memory, every_allocation_of_a_vector_reader_may_fail)
{
    cr_assert_gt(fail_each(read_vector, SPMV_TESTDATA "/good/vector_array.mtx"), 3);
    cr_assert_gt(fail_each(read_vector, SPMV_TESTDATA "/good/vector_coordinate.mtx"), 3);
    snprintf(path, sizeof path, "/tmp/spmv-memory-%ld", (long)getpid());
    FILE *f = fopen(path, "w");
    fputs("1\n2\n", f);
    fclose(f);
    cr_assert_gt(fail_each(read_vector, path), 1);
    unlink(path);
}

Test(mtx_memory, every_allocation_of_a_writer_may_fail)
{
    snprintf(path, sizeof path, "/tmp/spmv-memory-%ld.mtx", (long)getpid());
    cr_assert_gt(fail_each(write_matrix, path), 5);
    cr_assert_gt(fail_each(write_vector, path), 3);
}

/* Standard input that does not stand at the beginning of a file is read like a pipe. */
static spmv_status read_input(const char *file, spmv_error *err)
{
    cr_assert_eq(lseek(STDIN_FILENO, 1, SEEK_SET), 1);
    spmv__source src;
    spmv_status st = spmv__source_open(&src, file, NULL, err);
    if (st == SPMV_SUCCESS) cr_assert_eq(src.size, 299999);
    spmv__source_close(&src);
    return st;
}

Test(mtx_memory, every_allocation_for_a_pipe_may_fail)
{
    FILE *f = tmpfile();
    for (int i = 0; i < 300000; i++) fputc('\n', f);
    fflush(f);
    cr_assert_eq(dup2(fileno(f), STDIN_FILENO), STDIN_FILENO);
    cr_assert_geq(fail_each(read_input, "-"), 4);
    fclose(f);
}
