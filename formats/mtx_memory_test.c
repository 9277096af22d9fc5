/* mtx_memory_test.c -- when allocation number k fails, for every k, reading and writing report it
 * and give back what they had; and reading needs little more memory than what it makes. */
#include "failing.h"
#include "mtx.h"

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

/* ---- How much of it ------------------------------------------------------------------------- */

/* A file of n entries: by row, by column, or in no order. */
static char *make_file(const char *field, const char *symmetry, int64_t rows, int64_t n, int order)
{
    char *text = malloc(200 + (size_t)n * 60), *p = text;
    cr_assert_not_null(text);
    p += sprintf(p, "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n", field, symmetry,
                 (long long)rows, (long long)rows, (long long)n);
    for (int64_t i = 0; i < n; i++) {
        int64_t a = i * rows / n, b = (int64_t)(spmv__mix((uint64_t)i) % (uint64_t)rows);
        if (order == 2) a = (int64_t)(spmv__mix(~(uint64_t)i) % (uint64_t)rows);
        int64_t row = order == 1 ? b : a, col = order == 1 ? a : b;
        if (symmetry[0] == 's' && row < col) {
            row = rows - 1 - row;
            col = rows - 1 - col;
        }
        p += sprintf(p, "%lld %lld", (long long)row + 1, (long long)col + 1);
        if (field[0] == 'r') p += sprintf(p, " %.17g", spmv__uniform(1, (uint64_t)i));
        *p++ = '\n';
    }
    *p = '\0';
    return text;
}

/* A figure of /proc/self/status in bytes; 0: it is not there. */
static long own_memory(const char *name)
{
    char line[128], wanted[32];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    snprintf(wanted, sizeof wanted, "%s: %%ld", name);
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, wanted, &kilobytes) == 1) break;
    if (f != NULL) fclose(f);
    return kilobytes * 1024;
}

/* Forget how much it once was; false: this system does not. */
static bool forget_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f == NULL) return false;
    const bool written = fputs("5", f) >= 0;
    return (fclose(f) == 0) && written;
}

static void assert_little_memory(const char *text, int threads, const char *label)
{
    spmv__source src = {
        .name = "text", .data = (const unsigned char *)text, .size = (int64_t)strlen(text)};
    const spmv_read_options options = {.threads = threads};
    spmv_file_info info;
    spmv_matrix A;
    malloc_trim(0);
    if (!forget_peak()) cr_skip_test("this system does not tell how much memory it took");
    const long before = own_memory("VmRSS");
    cr_assert_eq(spmv__mtx_read_blocks(&A, &src, &options, 0, &info, NULL), SPMV_SUCCESS);
    const long most = own_memory("VmHWM") - before;
    cr_assert_eq(A.format, SPMV_CSR);
    const long bytes = (long)spmv_bytes(&A);
    cr_assert_leq(10 * most, 13 * bytes, "%s, %d threads: %ld for %ld", label, threads, most,
                  bytes);
    cr_assert_geq(most, bytes * 9 / 10);
    spmv_destroy(&A);
}

Test(mtx_memory, reading_needs_less_than_a_third_more_than_the_matrix)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the sanitizer keeps what is released");
#endif
    static const char *const labels[] = {"by row", "by column", "in no order"};
    /* What is large is a mapping of its own, not memory that was used before and is zeroed at once.
     */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    const int64_t n = 6000000; /* so that a huge page or two are few */
    for (int kind = 0; kind < 6; kind += 2) {
        char *text = kind < 3 ? make_file("real", "general", n / 8, n, kind)
                              : make_file("real", "symmetric", n / 8, n / 2, kind % 3);
        assert_little_memory(text, 1, labels[kind % 3]);
        assert_little_memory(text, 2, labels[kind % 3]);
        assert_little_memory(text, 16, labels[kind % 3]);
        free(text);
    }
}

/* Whoever sends millions of entries where six were announced does not get them stored. */
Test(mtx_memory, entries_beyond_the_last_take_none)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the sanitizer keeps what is released");
#endif
    char *text = make_file("real", "general", 1000, 6000000, 0), *count = strstr(text, "6000000");
    memcpy(count, "6      ", 7);
    spmv__source src = {
        .name = "text", .data = (const unsigned char *)text, .size = (int64_t)strlen(text)};
    const spmv_read_options options = {.threads = 2};
    spmv_file_info info;
    spmv_matrix A;
    spmv_error err;
    if (!forget_peak()) cr_skip_test("this system does not tell how much memory it took");
    const long before = own_memory("VmRSS");
    cr_assert_eq(spmv__mtx_read_blocks(&A, &src, &options, 0, &info, &err),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "after the last of 6 entries"), "%s", err.message);
    cr_assert_lt(own_memory("VmHWM") - before, 16 << 20);
    free(text);
}
