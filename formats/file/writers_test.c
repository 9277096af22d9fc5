/* writers_test.c -- every writer gives the same bytes, whatever the number of threads. */
#include "core/base/omp_test.h"
#include "core/base/random.h"
#include "core/matrix/format.h"
#include "formats/text/digits.h"
#include "formats/text/read_text_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-writers-%ld", (long)getpid());
}
static void remove_file(void)
{
    unlink(path);
}

TestSuite(writers, .init = name_file, .fini = remove_file);

typedef struct written_bytes {
    char *data;
    size_t size;
} written_bytes;

static written_bytes take_file(void)
{
    written_bytes out = {NULL, 0};
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f);
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    out.size = (size_t)ftell(f);
    rewind(f);
    out.data = malloc(out.size + 1);
    cr_assert_eq(fread(out.data, 1, out.size, f), out.size);
    fclose(f);
    return out;
}

/* What is written: a matrix, a vector, scores or labels. */
typedef void write_something(const void *what, const spmv_write_options *options);

static void assert_same_bytes(write_something *write, const void *what, const char *format)
{
    static const int threads[] = {1, 2, 3, 16};
    const spmv_write_options options = {.overwrite = true, .file_format = format};
    written_bytes first = {NULL, 0};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        omp_set_num_threads(threads[i]);
        write(what, &options);
        written_bytes now = take_file();
        if (i == 0) {
            first = now;
            continue;
        }
        cr_assert_eq(now.size, first.size, "%s, %d threads", format, threads[i]);
        cr_assert_eq(memcmp(now.data, first.data, now.size), 0, "%s, %d threads", format,
                     threads[i]);
        free(now.data);
    }
    free(first.data);
}

static void write_matrix(const void *what, const spmv_write_options *options)
{
    spmv_error err;
    cr_assert_eq(spmv_write(what, path, options, &err), SPMV_SUCCESS, "%s: %s",
                 options->file_format, err.message);
}

static void write_vector(const void *what, const spmv_write_options *options)
{
    spmv_error err;
    cr_assert_eq(spmv_write_vector(what, path, options, &err), SPMV_SUCCESS, "%s: %s",
                 options->file_format, err.message);
}

static void write_scores(const void *what, const spmv_write_options *options)
{
    const spmv_dense *x = what;
    const spmv_labels labels = {.n = x->rows, .first = 9990};
    cr_assert_eq(spmv_write_scores(x, &labels, NULL, path, options, NULL), SPMV_SUCCESS);
}

static void write_labels(const void *what, const spmv_write_options *options)
{
    cr_assert_eq(spmv_write_labels(what, path, options, NULL), SPMV_SUCCESS);
}

static const spmv_generate_options graph = {
    .rows = 6000, .cols = 6000, .per_row = 7, .type = SPMV_F64, .seed = 9};

Test(writers, matrices_do_not_depend_on_the_number_of_threads)
{
    spmv_csr csr;
    spmv_matrix coo;
    cr_assert_eq(spmv_generate(&csr, "uniform", &graph, NULL), SPMV_SUCCESS);
    spmv_matrix A = spmv__wrap_csr(&csr);
    cr_assert_eq(spmv_convert(&coo, &A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    cr_assert_gt(A.head.nnz, 40000);
    for (int i = 0; i < spmv_file_format_count(); i++) {
        const spmv_file_format *format = spmv_file_format_at(i);
        if (!format->writes) continue;
        assert_same_bytes(write_matrix, &A, format->name);
        if (format->text) assert_same_bytes(write_matrix, &coo, format->name);
    }
    spmv_destroy(&coo);
    spmv_csr_destroy(&csr);
}

Test(writers, vectors_do_not_depend_on_the_number_of_threads)
{
    static double data[40000];
    const spmv_dense x = {.rows = 40000, .cols = 1, .type = SPMV_F64, .data = data};
    for (int i = 0; i < 40000; i++) data[i] = spmv__uniform(5, (uint64_t)i) * 1e6 - 5e5;
    assert_same_bytes(write_vector, &x, "mtx");
    assert_same_bytes(write_vector, &x, "text");
    assert_same_bytes(write_scores, &x, NULL);
    const spmv_labels labels = {.n = 40000, .first = 99999990};
    assert_same_bytes(write_labels, &labels, NULL);
}

/* The entries of a large matrix, by a way that knows nothing of blocks. */
Test(writers, blocks_join_without_a_seam)
{
    spmv_csr csr;
    cr_assert_eq(spmv_generate(&csr, "uniform", &graph, NULL), SPMV_SUCCESS);
    const spmv_matrix A = spmv__wrap_csr(&csr);
    write_matrix(&A, &(spmv_write_options){.overwrite = true, .file_format = "mtx"});
    FILE *f = fopen(path, "r");
    char line[128];
    for (int i = 0; i < 2; i++) cr_assert_not_null(fgets(line, sizeof line, f));
    for (int64_t r = 0; r < csr.rows; r++)
        for (int64_t p = csr.row_ptr[r]; p < csr.row_ptr[r + 1]; p++) {
            long long row, col;
            double value;
            cr_assert_eq(fscanf(f, "%lld %lld %lf\n", &row, &col, &value), 3);
            cr_assert_eq(row, r + 1);
            cr_assert_eq(col, csr.col_idx[p] + 1);
            cr_assert_eq(value, ((const double *)csr.val)[p]);
        }
    cr_assert_eq(fgetc(f), EOF);
    fclose(f);
    spmv_csr_destroy(&csr);
}

static void assert_integer(uint64_t n)
{
    char text[32], expected[32];
    *spmv__put_integer(text, n) = '\0';
    snprintf(expected, sizeof expected, "%" PRIu64, n);
    cr_assert_str_eq(text, expected);
}

Test(writers, integers_of_every_length)
{
    assert_integer(UINT64_MAX);
    assert_integer(INT64_MAX);
    for (uint64_t ten = 1; ten < UINT64_MAX / 10; ten *= 10)
        for (uint64_t k = 0; k < 100; k++) {
            assert_integer(ten - 1);
            assert_integer(ten);
            assert_integer(spmv__mix(k) % (ten * 10));
        }
}

Test(writers, scores_that_are_not_finite_are_null_in_json)
{
    static double data[] = {0.5, NAN, -INFINITY};
    const spmv_dense x = {.rows = 3, .cols = 1, .type = SPMV_F64, .data = data};
    const spmv_labels labels = {.n = 3, .first = 1};
    const size_t length = strlen(path);
    memcpy(path + length, ".json", sizeof ".json");
    cr_assert_eq(spmv_write_scores(&x, &labels, NULL, path, NULL, NULL), SPMV_SUCCESS);
    const written_bytes json = take_file();
    const char *expected = "[\n{\"node\":1,\"score\":0.5},\n{\"node\":2,\"score\":null},\n"
                           "{\"node\":3,\"score\":null}\n]\n";
    cr_assert_eq(json.size, strlen(expected));
    cr_assert_eq(memcmp(json.data, expected, json.size), 0);
    free(json.data);
}
