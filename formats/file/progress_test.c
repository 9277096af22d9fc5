/* progress_test.c -- whoever asks is told how far reading, writing and ranking have come. */
#include "core/base/random.h"
#include "core/matrix/format.h"
#include "formats/stream/packing.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[96];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/spmv-progress-%ld", (long)getpid());
    cr_assert_eq(mkdir(folder, 0777), 0);
}

static void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(progress, .init = make_folder, .fini = remove_folder);

/* What was reported. */
typedef struct told {
    const char *stages[4]; /* in their order */
    int64_t done[4], total[4];
    int count[4], n;
} told;

static void tell(void *user, const spmv_progress *p)
{
    told *t = user;
    if (t->n == 0 || strcmp(t->stages[t->n - 1], p->stage) != 0) {
        cr_assert_lt(t->n, 4);
        t->stages[t->n++] = p->stage;
    }
    const int i = t->n - 1;
    cr_assert_geq(p->done, t->done[i], "%s goes back", p->stage);
    cr_assert(p->total == 0 || p->done <= p->total, "%s: %lld of %lld", p->stage,
              (long long)p->done, (long long)p->total);
    t->done[i] = p->done;
    t->total[i] = p->total;
    t->count[i]++;
}

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int64_t file_size(void)
{
    struct stat info;
    cr_assert_eq(stat(path, &info), 0);
    return info.st_size;
}

/* About 4 MB of text, with as many random numbers as that takes. */
static spmv_matrix matrix(void)
{
    spmv_matrix A = {.format = SPMV_CSR};
    const spmv_generate_options options = {
        .rows = 20000, .cols = 20000, .per_row = 8, .type = SPMV_F64, .seed = 1};
    cr_assert_eq(spmv_generate(&A.csr, "uniform", &options, NULL), SPMV_SUCCESS);
    return A;
}

/* Several portions. */
static spmv_matrix large_matrix(spmv_format format)
{
    spmv_matrix A = {.format = SPMV_CSR}, B;
    const spmv_generate_options options = {
        .rows = 20000, .cols = 20000, .per_row = 32, .type = SPMV_F64, .seed = 1};
    cr_assert_eq(spmv_generate(&A.csr, "uniform", &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, format, NULL, NULL), SPMV_SUCCESS);
    spmv_destroy(&A);
    return B;
}

/* The lower half of a band. */
static spmv_matrix triangle(spmv_format format)
{
    enum { ROWS = 300000 };
    spmv_matrix A = {.format = SPMV_COO}, B;
    int64_t p = 0;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, ROWS, ROWS, 2 * ROWS - 1, NULL), SPMV_SUCCESS);
    A.head.symmetry = SPMV_SYMMETRIC;
    for (int64_t r = 0; r < ROWS; r++) {
        for (int64_t c = r > 0 ? r - 1 : r; c <= r; c++, p++) {
            A.coo.row_idx[p] = r;
            A.coo.col_idx[p] = c;
        }
    }
    cr_assert_eq(spmv_convert(&B, &A, format, NULL, NULL), SPMV_SUCCESS);
    spmv_destroy(&A);
    return B;
}

static told write_as(const spmv_matrix *A, const char *name)
{
    told t = {0};
    const spmv_write_options options = {.progress = tell, .user = &t};
    cr_assert_eq(spmv_write(A, in_folder(name), &options, NULL), SPMV_SUCCESS);
    return t;
}

static told read_back(void)
{
    told t = {0};
    spmv_matrix B;
    const spmv_read_options options = {.progress = tell, .user = &t, .threads = 2};
    cr_assert_eq(spmv_read(&B, path, &options, NULL, NULL), SPMV_SUCCESS);
    spmv_destroy(&B);
    return t;
}

static void assert_stage(const told *t, int i, const char *stage, int64_t done)
{
    cr_assert_lt(i, t->n, "no %s", stage);
    cr_assert_str_eq(t->stages[i], stage);
    cr_assert_eq(t->done[i], done, "%s ends at %lld", stage, (long long)t->done[i]);
    cr_assert_gt(t->count[i], 1, "%s was reported once", stage);
}

Test(progress, text)
{
    spmv_matrix A = matrix();
    told t = write_as(&A, "A.mtx");
    const int64_t size = file_size();
    assert_stage(&t, 0, "writing", size);
    t = read_back();
    cr_assert_eq(t.n, 2);
    cr_assert_str_eq(t.stages[0], "parsing");
    cr_assert_eq(t.done[0], t.total[0]);
    cr_assert_gt(t.total[0], size - 100); /* the header is not counted */
    cr_assert_gt(t.count[0], 5);
    assert_stage(&t, 1, "sorting", 12 * A.head.nnz);
    cr_assert_eq(t.total[1], 12 * A.head.nnz);
    spmv_destroy(&A);
}

Test(progress, estimates_come_near)
{
    spmv_matrix A = matrix();
    told t = write_as(&A, "A.mtx");
    cr_assert_lt(llabs(t.total[0] - file_size()), file_size() / 50);
    spmv_destroy(&A);
}

/* What is converted in order to be written tells so too. */
Test(progress, text_of_columns)
{
    spmv_matrix A = large_matrix(SPMV_CSC);
    const told t = write_as(&A, "A.mtx");
    cr_assert_eq(t.n, 2);
    assert_stage(&t, 0, "converting", t.total[0]);
    assert_stage(&t, 1, "writing", file_size());
    spmv_destroy(&A);
}

Test(progress, binary)
{
    spmv_matrix A = matrix();
    told t = write_as(&A, "A.csr");
    assert_stage(&t, 0, "writing", file_size());
    cr_assert_eq(t.total[0], file_size());
    t = read_back();
    assert_stage(&t, 0, "checking", file_size());
    cr_assert_eq(t.total[0], file_size());
    spmv_destroy(&A);
}

Test(progress, edges)
{
    spmv_matrix A = matrix();
    write_as(&A, "A.el");
    const told t = read_back();
    assert_stage(&t, 0, "parsing", t.total[0]);
    cr_assert_gt(t.total[0], file_size() - 100);
    assert_stage(&t, 1, "sorting", t.total[1]); /* though they come by row */
    cr_assert_eq(t.n, 2);
    spmv_destroy(&A);
}

/* Pairs in no order, which is what edge lists come in, below a first line. */
static told read_pairs(const char *line, int64_t edges)
{
    FILE *f = fopen(in_folder("A.el"), "w");
    fputs(line, f);
    for (uint64_t i = 0; i < (uint64_t)edges; i++)
        fprintf(f, "%d %d\n", (int)(spmv__mix(i) % 100000) + 1, (int)(i % 100000) + 1);
    fclose(f);
    return read_back();
}

Test(progress, edges_are_sorted)
{
    enum { EDGES = 1 << 19 };
    told t = read_pairs("", EDGES);
    cr_assert_eq(t.n, 2);
    /* In buckets; an edge takes 4 bytes. */
    assert_stage(&t, 1, "sorting", (int64_t)4 * EDGES);
    cr_assert_eq(t.total[1], t.done[1]);

    t = read_pairs("% asym unweighted\n", EDGES);
    cr_assert_eq(t.n, 2);
    /* Two passes over the columns, two over the rows; an edge takes 16 bytes. */
    assert_stage(&t, 1, "sorting", (int64_t)4 * 16 * EDGES);
    cr_assert_eq(t.total[1], t.done[1]);
}

Test(progress, packed)
{
    if (spmv__packing_by_suffix("A.gz")->encoder == NULL) cr_skip("this build writes no gzip");
    spmv_matrix A = matrix();
    write_as(&A, "A.mtx.gz");
    const told t = read_back();
    cr_assert_gt(t.n, 0);
    cr_assert_gt(t.total[t.n - 1], 0);
    cr_assert_eq(t.done[t.n - 1], t.total[t.n - 1]);
    spmv_destroy(&A);
}

/* In bytes of the archive, which are a hundredth of those of the text. */
Test(progress, zipped)
{
    told t = {0};
    spmv_matrix A;
    const spmv_read_options options = {.progress = tell, .user = &t};
    const spmv_status st =
        spmv_read(&A, SPMV_TESTDATA "/packed/repeated.zip", &options, NULL, NULL);
    if (st == SPMV_ERROR_UNSUPPORTED) cr_skip("this build reads no archives");
    cr_assert_eq(st, SPMV_SUCCESS);
    cr_assert_gt(t.n, 0);
    cr_assert_eq(t.total[0], 1942); /* the size of the file */
    spmv_destroy(&A);
}

static told convert_to(spmv_matrix *out, const spmv_matrix *A, spmv_format format)
{
    told t = {0};
    const spmv_convert_options build = {.progress = tell, .user = &t};
    cr_assert_eq(spmv_convert(out, A, format, &build, NULL), SPMV_SUCCESS);
    return t;
}

Test(progress, converting)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        if (f == SPMV_CSR) continue;
        spmv_matrix A = large_matrix(SPMV_CSR), B, C, D;
        const int there = spmv__format_of((spmv_format)f)->walks, back = SPMV__TO_CSR_WALKS;
        const int64_t entries = 12 * A.head.nnz;
        told t = convert_to(&B, &A, (spmv_format)f);
        cr_assert_eq(t.n, 1);
        assert_stage(&t, 0, "converting", there * entries);
        cr_assert_eq(t.total[0], t.done[0]);
        t = convert_to(&C, &B, SPMV_CSR);
        cr_assert_eq(t.n, 1);
        assert_stage(&t, 0, "converting", back * entries);
        cr_assert_eq(t.total[0], t.done[0]);
        cr_assert(spmv_identical(&A, &C));
        const spmv_format other = f == SPMV_JDS ? SPMV_SELL : SPMV_JDS;
        t = convert_to(&D, &B, other);
        cr_assert_eq(t.n, 1, "all walks are one stage");
        assert_stage(&t, 0, "converting", (back + 1) * entries);
        cr_assert_eq(t.total[0], t.done[0]);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
        spmv_destroy(&D);
    }
}

/* The stages of one change of a matrix in each format, each of which comes to its end: of COO, CSR,
 * CSC, and of any other format. */
enum { OTHERS = SPMV_CSC + 1 };
static void assert_stages(spmv_matrix (*make)(spmv_format format),
                          spmv_status (*change)(spmv_matrix *out, const spmv_matrix *A,
                                                const spmv_convert_options *build, spmv_error *err),
                          const char *const lists[OTHERS + 1][4])
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const char *const *stages = lists[f < OTHERS ? f : OTHERS];
        spmv_matrix A = make((spmv_format)f), B;
        told t = {0};
        const spmv_convert_options build = {.progress = tell, .user = &t};
        cr_assert_eq(change(&B, &A, &build, NULL), SPMV_SUCCESS);
        for (int i = 0; i < t.n; i++) {
            cr_assert_not_null(stages[i], "%s: %s", spmv_format_name(A.format), t.stages[i]);
            assert_stage(&t, i, stages[i], t.total[i]);
        }
        cr_assert(t.n == 4 || stages[t.n] == NULL, "%s", spmv_format_name(A.format));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(progress, transposing)
{
    static const char *const stages[OTHERS + 1][4] = {
        [SPMV_COO] = {"sorting"},
        [SPMV_CSR] = {"transposing"},
        [SPMV_CSC] = {"transposing"},
        [OTHERS] = {"transposing", "converting"},
    };
    assert_stages(large_matrix, spmv_transpose, stages);
}

Test(progress, expanding)
{
    static const char *const stages[OTHERS + 1][4] = {
        [SPMV_COO] = {"converting", "transposing", "expanding", "converting"},
        [SPMV_CSR] = {"transposing", "expanding"},
        [SPMV_CSC] = {"converting", "transposing", "expanding", "converting"},
        [OTHERS] = {"converting", "transposing", "expanding", "converting"},
    };
    assert_stages(triangle, spmv_expand, stages);
}

/* No values of 0: to coordinates and back. */
Test(progress, dropping)
{
    static const char *const stages[OTHERS + 1][4] = {
        [SPMV_COO] = {NULL},
        [SPMV_CSR] = {"dropping", "converting"},
        [SPMV_CSC] = {"dropping", "converting"},
        [OTHERS] = {"dropping", "converting"},
    };
    assert_stages(large_matrix, spmv_drop_zeros, stages);
}

/* Before the first iteration, and after each. */
Test(progress, ranking)
{
    spmv_matrix A = matrix();
    told t = {0};
    const spmv_pagerank_options config = {
        .unweighted = true, .max_iterations = 7, .tolerance = 1e-300, .progress = tell, .user = &t};
    spmv_pagerank_result result;
    cr_assert_eq(spmv_pagerank(&result, &A, &config, NULL), SPMV_SUCCESS);
    assert_stage(&t, 0, "ranking", 7);
    cr_assert_eq(t.count[0], 8);
    cr_assert_eq(t.total[0], 7);
    spmv_pagerank_destroy(&result);
    spmv_destroy(&A);
}
