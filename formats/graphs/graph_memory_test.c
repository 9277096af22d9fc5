/* graph_memory_test.c -- when allocation number k fails, for every k, the readers of graphs report
 * it and give back what they had. */
#include "formats/file/any_file.h"
#include "formats/graphs/quick_edges.h"
#include "formats/stream/failing_test.h"

#include <unistd.h>

static spmv_read_options options;

static spmv_status read_graph(const char *file, spmv_error *err)
{
    static const spmv_matrix empty;
    spmv_matrix A;
    spmv_file_info info;
    spmv_status st = spmv_read(&A, file, &options, &info, err);
    if (st != SPMV_SUCCESS) cr_assert_arr_eq(&A, &empty, sizeof A);
    if (st != SPMV_SUCCESS) cr_assert_str_eq(err->file, file);
    if (st == SPMV_SUCCESS) spmv_labels_destroy(&info.labels);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

static spmv_status read_only_the_matrix(const char *file, spmv_error *err)
{
    spmv_matrix A;
    spmv_status st = spmv_read(&A, file, &options, NULL, err);
    spmv_destroy(&A);
    return st;
}

static spmv_status write_graph(const char *file, spmv_error *err)
{
    static const double dense[] = {1, 0, 2, 3};
    spmv_matrix A;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write_edges(&A, file, NULL, err);
    cr_assert_eq(access(file, F_OK) == 0, st == SPMV_SUCCESS);
    unlink(file);
    spmv_destroy(&A);
    return st;
}

Test(graph_memory, every_allocation_of_a_reader_may_fail)
{
    static const char *const files[] = {"house_edges.wel",
                                        "house_konect.tsv",
                                        "house_metis.graph",
                                        "house_dimacs.gr",
                                        "snap.txt",
                                        "loops_and_repeats.el",
                                        "dimacs_colouring.col",
                                        "edges_sparse_ids.txt",
                                        "edges_beyond_32_bits.el",
                                        "quoted_names.csv",
                                        "words_among_integers.el",
                                        "networkx_plain.edgelist",
                                        "metis_everything.graph",
                                        "integers.graphml",
                                        "weights.graphml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s/graphs/%s", SPMV_TESTDATA, files[i]);
        options = (spmv_read_options){.drop_zeros = true};
        cr_assert_gt(fail_each(read_graph, name), 3, "%s", name);
        options = (spmv_read_options){.duplicates = SPMV_DUPLICATES_COUNT};
        cr_assert_gt(fail_each(read_graph, name), 3, "%s", name);
        cr_assert_gt(fail_each(read_only_the_matrix, name), 3, "%s", name);
    }
}

Test(graph_memory, every_allocation_of_the_writer_may_fail)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/spmv-graph-memory-%ld.el", (long)getpid());
    cr_assert_gt(fail_each(write_graph, path), 5);
}

/* ---- Names ---------------------------------------------------------------------------------- */

enum { MANY = 6000 }; /* so many that tables and their text grow */

static const char *name_of(int i, char out[32])
{
    snprintf(out, 32, "%s%d", i % 3 == 0 ? "a-name-of-many-bytes-" : "n", i);
    return out;
}

static char text_of_names[MANY * 64];

static spmv_status read_names(const char *what, spmv_error *err)
{
    const spmv_read_options with = {.threads = 1};
    spmv__source src = {.data = (const unsigned char *)text_of_names,
                        .size = (int64_t)strlen(text_of_names)};
    spmv_file_info info = {0};
    spmv_matrix A = {.format = SPMV_COO};
    snprintf(src.name, sizeof src.name, "%s", what);
    const spmv_status st = spmv__edges_read_blocks(&A, &src, &with, 5000, &info, err);
    if (st == SPMV_SUCCESS) cr_assert(A.format == SPMV_CSR && A.head.rows == MANY);
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return st;
}

/* All names are met by a table that threads share, and put in order. */
static spmv_status settle_names(const char *what, spmv_error *err)
{
    spmv__node_names *names = NULL;
    spmv_labels labels = {0};
    const int64_t *rank;
    char name[32];
    int64_t number;
    spmv_status st;
    SPMV__TRY(spmv__node_names_create(&names, 2, err));
    for (int i = 0; i < MANY; i++) {
        name_of(i, name);
        SPMV__TRY(spmv__node_names_number(names, name, strlen(name), &number, err));
    }
    SPMV__TRY(spmv__node_names_settle(names, 1, &rank, &labels, err));
    cr_assert(labels.n == MANY, "%s", what);
done:
    spmv_labels_destroy(&labels);
    spmv__node_names_destroy(names);
    return st;
}

Test(graph_memory, every_allocation_for_names_may_fail)
{
    char *p = text_of_names, from[32], to[32];
    for (int i = 0; i < MANY; i++)
        p += sprintf(p, "%s %s\n", name_of(i, from), name_of((i + 7) % MANY, to));
    cr_assert_gt(fail_each(read_names, "names"), 30);
    cr_assert_gt(fail_each(settle_names, "settled"), 30);
}

/* ---- How much of it ------------------------------------------------------------------------- */

/* Edges with short ids, as an edge list, or every vertex of a ring with its two neighbours, as
 * METIS has it, or arcs. */
static char *make_file(const char *format, int64_t n)
{
    char *text = malloc(100 + (size_t)n * 40), *p = text;
    cr_assert_not_null(text);
    if (strcmp(format, "metis") == 0) p += sprintf(p, "%lld %lld\n", (long long)n, (long long)n);
    if (strcmp(format, "dimacs") == 0) p += sprintf(p, "p sp 331 %lld\n", (long long)n);
    for (long long i = 0; i < n; i++) {
        const long long a = i % 331 + 1, b = i / 331 + 1;
        if (strcmp(format, "metis") == 0)
            p += sprintf(p, "%lld %lld\n", (i + n - 1) % n + 1, (i + 1) % n + 1);
        else if (strcmp(format, "dimacs") == 0)
            p += sprintf(p, "a %lld %lld %lld\n", a, b, i % 7);
        else
            p += sprintf(p, "%lld %lld\n", a, b);
    }
    return text;
}

/* An edge of nine bytes becomes two indices of eight, which are sorted with a copy of them and of
 * their places; nodes far apart are put in order by column as well. */
Test(graph_memory, reading_needs_a_small_multiple_of_the_file)
{
    static const struct {
        const char *format;
        bool all_ids;
        int64_t times;
    } cases[] = {{"el", true, 5}, {"el", false, 5}, {"metis", false, 6}, {"dimacs", false, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = make_file(cases[i].format, 100000);
        const int64_t size = (int64_t)strlen(text);
        spmv__source src = {.name = "text", .data = (const unsigned char *)text, .size = size};
        const spmv_read_options with = {.all_ids = cases[i].all_ids};
        spmv_file_info info = {0};
        spmv_matrix A;
        spmv_error err;
        count_bytes();
        const spmv_status st =
            spmv__file_format_named(cases[i].format)->read(&A, &src, &with, &info, &err);
        const long most = most_bytes();
        cr_assert_eq(st, SPMV_SUCCESS, "%s: %s", cases[i].format, err.message);
        cr_assert_leq(most, cases[i].times * size, "%s: %ld for %lld", cases[i].format, most,
                      (long long)size);
        spmv_labels_destroy(&info.labels);
        spmv_destroy(&A);
        free(text);
    }
}
