/* edge_list_test.c -- the options of reading edge lists, and writing them. */
#include "core/base/random.h"
#include "formats/text/read_text_test.h"

#include <unistd.h>

static outcome read_edges(const char *text, const spmv_read_options *options)
{
    return read_bytes_as(&spmv__edges_file, text, strlen(text), options);
}

static void assert_edges(const char *text, const spmv_read_options *options, int64_t nodes,
                         const char *entries)
{
    outcome o = read_edges(text, options);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%lld:%lld %s\n%s", (long long)o.err.line,
                 (long long)o.err.column, o.err.message, text);
    cr_assert_eq(o.A.head.rows, nodes, "%s", text);
    cr_assert_eq(o.A.head.cols, nodes, "%s", text);
    assert_entries(&o.A, entries);
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

/* ---- Edges or Matrix Market text without its banner ------------------------------------------ */

Test(edge_list, only_entries_count_as_entries_of_a_matrix_without_banner)
{
    static const char *const bare[] = {"2 2 1\n1 2\n", "2 2 1\n\n% half\n1 2 7\n\n",
                                       "2 2 2\n1 2\n# half\n2 1"};
    assert_edges("1 2 1\n# Ids: 1 to 3\n", NULL, 3, "1 2 1");
    assert_edges("2 2 1\n# hello\n", NULL, 1, "1 1 1");
    assert_edges("2 2 1\n\n", NULL, 1, "1 1 1");
    assert_edges("2 2 2\n# hello\n\n2 1 3\n", NULL, 2, "2 1 3; 2 2 2");
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++)
        cr_assert_eq(read_edges(bare[i], NULL).status, SPMV_ERROR_INVALID_FORMAT, "%s", bare[i]);
}

/* ---- The base of ids ------------------------------------------------------------------------ */

Test(edge_list, ids_count_from_what_is_usual_or_asked_for)
{
    spmv_read_options zero = {.index_base = SPMV_BASE_0, .all_ids = true};
    spmv_read_options one = {.index_base = SPMV_BASE_1, .all_ids = true}, all = {.all_ids = true};
    assert_edges("1 2\n", NULL, 2, "1 2 1");
    assert_edges("1 2\n", &all, 3, "2 3 1");
    assert_edges("1 2\n", &zero, 3, "2 3 1");
    assert_edges("1 2\n", &one, 2, "1 2 1");
    assert_edges("% asym\n1 2\n", NULL, 2, "1 2 1");
    assert_edges("% asym\n1 2\n", &all, 2, "1 2 1");
    assert_edges("# Nodes: 4\n1 2\n", &all, 4, "2 3 1");
    assert_edges("% asym\n1 2\n", &zero, 3, "2 3 1");
}

Test(edge_list, the_smallest_id_and_the_loops_are_reported)
{
    spmv_read_options one = {.index_base = SPMV_BASE_1, .all_ids = true};
    outcome o = read_edges("7 5\n5 5\n9 9\n5 5\n", &one);
    cr_assert_eq(o.status, SPMV_SUCCESS);
    cr_assert_eq(o.info.smallest_id, 5);
    cr_assert_eq(o.info.loops, 3);
    cr_assert_eq(o.info.entries, 4);
    cr_assert_eq(o.info.duplicates, 1);
    cr_assert_eq(o.info.labels.first, 1);
    cr_assert_null(o.info.labels.id);
    spmv_destroy(&o.A);
}

Test(edge_list, edges_that_cannot_be_are_left_out_on_request)
{
    spmv_read_options skip = {.skip_invalid = true};
    spmv_read_options skip_one = {.skip_invalid = true, .index_base = SPMV_BASE_1};
    outcome o = read_edges("0 1\n-1 1\n1 99999999999999999999\n1 0\n", &skip);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(o.info.skipped, 2);
    cr_assert_eq(o.info.entries, 4);
    assert_entries(&o.A, "1 2 1; 2 1 1");
    spmv_destroy(&o.A);
    assert_edges("0 1\n1 2\n2 1\n", &skip_one, 2, "1 2 1; 2 1 1");
    assert_edges("1 2\n1 9223372036854775808\n2 1\n", &skip_one, 2, "1 2 1; 2 1 1");
    assert_edges("% asym x\n% 2 3 3\n1 4\n1 3\n", &skip, 2, "1 2 1");
    o = read_edges("0 1\n0 1.5\n", &skip);
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
}

/* ---- Nodes of two kinds --------------------------------------------------------------------- */

Test(edge_list, bipartite_graphs_have_all_their_rows_and_columns)
{
    outcome o = read_edges("% bip\n1 2\n3 2\n", NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert(o.A.head.rows == 3 && o.A.head.cols == 2 && o.info.bipartite);
    spmv_destroy(&o.A);
}

/* ---- Given again ---------------------------------------------------------------------------- */

Test(edge_list, repeated_edges_become_what_the_policy_says)
{
    const char *text = "0 1 2\n1 0 7\n0 1 3\n";
    spmv_read_options first = {.duplicates = SPMV_DUPLICATES_FIRST};
    spmv_read_options last = {.duplicates = SPMV_DUPLICATES_LAST};
    spmv_read_options error = {.duplicates = SPMV_DUPLICATES_ERROR};
    assert_edges(text, NULL, 2, "1 2 5; 2 1 7");
    assert_edges(text, &first, 2, "1 2 2; 2 1 7");
    assert_edges(text, &last, 2, "1 2 3; 2 1 7");
    outcome o = read_edges(text, &error);
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(o.err.line, 3);
    cr_assert_not_null(strstr(o.err.message, "row 0, column 1 is repeated"), "%s", o.err.message);
}

/* ---- Nodes that are named ------------------------------------------------------------------- */

Test(edge_list, nodes_are_numbered_by_ascending_id)
{
    static const int64_t ids[] = {3, 17, 1000, INT64_C(9007199254740993)};
    outcome o = read_edges("1000 3 1\n9007199254740993 1000 2\n3 17 3\n1000 17 4\n", NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(o.A.head.rows, 4);
    cr_assert_eq(o.A.head.cols, 4);
    cr_assert_eq(o.warnings.n, 0);
    cr_assert_arr_eq(o.info.labels.id, ids, sizeof ids);
    assert_entries(&o.A, "1 2 3; 3 1 1; 3 2 4; 4 3 2");
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

Test(edge_list, labels_are_ids_of_the_file)
{
    spmv_read_options one = {.index_base = SPMV_BASE_1};
    outcome o = read_edges("5 1\n5 5\n9 5\n", &one);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(spmv_label_at(&o.info.labels, 0), 1);
    cr_assert_eq(spmv_label_at(&o.info.labels, 1), 5);
    cr_assert_eq(spmv_label_at(&o.info.labels, 2), 9);
    assert_entries(&o.A, "2 1 1; 2 2 1; 3 2 1");
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

/* Ids that are marked one by one, and others that are put in order, become the same numbers. */
Test(edge_list, ids_near_and_far_are_numbered_alike)
{
    enum { EDGES = 300 };
    char near[EDGES * 8 + 1], far[EDGES * 32 + 1], *p = near, *q = far;
    for (uint64_t e = 0; e < EDGES; e++) {
        const int a = (int)(spmv__mix(2 * e) % 331), b = (int)(spmv__mix(2 * e + 1) % 331);
        p += sprintf(p, "%d %d\n", a, b);
        q +=
            sprintf(q, "%d%s %d%s\n", a, a > 0 ? "00000000000" : "", b, b > 0 ? "00000000000" : "");
    }
    outcome o = read_edges(near, NULL), w = read_edges(far, NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(w.status, SPMV_SUCCESS, "%s", w.err.message);
    cr_assert(spmv_identical(&o.A, &w.A));
    cr_assert_not_null(o.info.labels.id);
    for (int64_t i = 0; i < o.A.head.rows; i++)
        cr_assert_eq(o.info.labels.id[i] * INT64_C(100000000000), w.info.labels.id[i]);
    spmv_labels_destroy(&o.info.labels);
    spmv_labels_destroy(&w.info.labels);
    spmv_destroy(&o.A);
    spmv_destroy(&w.A);
}

/* ---- Ids of many digits --------------------------------------------------------------------- */

/* Ids with so many digits, from which as many lines follow that several threads read them. */
enum { LONG_LINES = 9000, LONG_LINE = 60 };

typedef struct long_style {
    const char *between, *end;
    bool weighted;
} long_style;

static int64_t long_id(int64_t k)
{
    static const int64_t first[] = {INT64_C(9223372036854775805),
                                    INT64_C(1000000000000000000),
                                    INT64_C(99999999999999999),
                                    INT64_C(10000000000000000),
                                    INT64_C(9999999999999999),
                                    INT64_C(4294967295),
                                    INT64_C(12)};
    return first[k % 7] - (first[k % 7] > 1000 ? k / 7 : 0);
}

static char *write_long_lines(const long_style *style, int lines)
{
    char *text = malloc((size_t)lines * LONG_LINE), *p = text;
    for (int64_t k = 0; k < lines; k++) {
        p += sprintf(p, "%lld%s%lld", (long long)long_id(k), style->between,
                     (long long)long_id(k + 1));
        if (style->weighted) p += sprintf(p, "%s%lld.5", style->between, (long long)k);
        if (k < lines - 1) p += sprintf(p, "%s", style->end);
    }
    return text;
}

/* The last line has no end. */
static void assert_long_lines(const long_style *style, int lines, int threads)
{
    const spmv_read_options options = {.threads = threads, .duplicates = SPMV_DUPLICATES_FIRST};
    char *text = write_long_lines(style, lines);
    outcome o = read_edges(text, &options);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(o.info.entries, lines);
    cr_assert_eq(o.info.duplicates, 0);
    for (int64_t i = 1; i < o.info.labels.n; i++)
        cr_assert_lt(o.info.labels.id[i - 1], o.info.labels.id[i]);
    for (int64_t k = 0; k < lines; k++) {
        char from[24], to[24];
        spmv_scalar value;
        const int length = snprintf(from, sizeof from, "%lld", (long long)long_id(k));
        const int other = snprintf(to, sizeof to, "%lld", (long long)long_id(k + 1));
        const int64_t row = spmv_label_find(&o.info.labels, from, (size_t)length);
        const int64_t col = spmv_label_find(&o.info.labels, to, (size_t)other);
        cr_assert(row >= 0 && col >= 0, "%s %s", from, to);
        cr_assert_eq(spmv_get_element(&o.A, row, col, &value, NULL), SPMV_SUCCESS);
        cr_assert_eq(value.re, style->weighted ? (double)k + 0.5 : 1, "%s %s", from, to);
    }
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
    free(text);
}

Test(edge_list, ids_of_many_digits_are_read_in_lines_of_every_kind)
{
    static const long_style styles[] = {{" ", "\n", false},  {"\t", "\r\n", true},
                                        {",", "\n", false},  {"  ", " \n", true},
                                        {" , ", "\n", true}, {"\t", "\n\n", false}};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        for (int threads = 1; threads <= 4; threads++) {
            assert_long_lines(&styles[i], LONG_LINES, threads);
            assert_long_lines(&styles[i], 1, threads);
        }
}

/* What is no id is told of by its place, wherever the line is and whoever reads it. */
Test(edge_list, ids_of_many_digits_that_cannot_be_are_refused)
{
    enum { LINES = 9000 };
    static const struct {
        const char *line, *message;
        int column;
    } cases[] = {
        {"9223372036854775808 1000000000000000000", "the id 9223372036854775808 is too", 1},
        {"1000000000000000000\t9223372036854775806", "the id 9223372036854775806 is", 21},
        {"1000000000000000000 9999999999999999999", "the id 9999999999999999999 is", 21},
        {"18446744073709551617 1", "the id 18446744073709551617 is too large", 1},
        {"1000000000000000000 -1000000000000000000", "-1000000000000000000 is less", 21}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 6; k++) {
            const int at = (const int[]){0, LINES / 2, LINES - 1}[k / 2];
            const spmv_read_options options = {.threads = 1 + k % 2 * 2};
            char *text = malloc(LINES * LONG_LINE), *p = text;
            for (int64_t line = 0; line < LINES; line++)
                p += line == at ? sprintf(p, "%s\n", cases[i].line)
                                : sprintf(p, "%lld %lld\n", (long long)long_id(7 * line),
                                          (long long)long_id(7 * line + 1));
            outcome o = read_edges(text, &options);
            cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT, "%s", cases[i].line);
            cr_assert_not_null(strstr(o.err.message, cases[i].message), "%s", o.err.message);
            cr_assert_eq(o.err.line, at + 1, "%s", o.err.message);
            cr_assert_eq(o.err.column, cases[i].column, "%s", o.err.message);
            free(text);
        }
}

/* An edge between far ids that is repeated is named by its ids and its line. */
Test(edge_list, a_repeated_edge_between_far_ids_is_named)
{
    char *text = write_long_lines(&(long_style){" ", "\n", false}, LONG_LINES);
    strcat(text, "\n9223372036854775798 9999999999999998\n9223372036854775798 9999999999999998\n");
    for (int threads = 1; threads <= 3; threads++) {
        const spmv_read_options options = {.threads = threads, .duplicates = SPMV_DUPLICATES_ERROR};
        outcome o = read_edges(text, &options);
        cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
        cr_assert_str_eq(o.err.message,
                         "row 9223372036854775798, column 9999999999999998 is repeated");
        cr_assert_eq(o.err.line, LONG_LINES + 2);
    }
    free(text);
}

/* 007 is a name and no 7, in whatever line it is and however many threads look for it; but not
 * where all nodes are said to be numbers. */
Test(edge_list, zeros_before_a_number_make_it_a_name)
{
    enum { LINES = 3000, SIZE = LINES * 48 };
    static const char *const odd[] = {"007 7\n",
                                      "7 007\n",
                                      "00 1\n",
                                      "0123456789 7\n",
                                      "12 00000000000000001\n",
                                      "1000000000000000007 01000000000000000007\n"};
    enum { ODD = sizeof odd / sizeof odd[0] };
    static char text[SIZE];
    for (int k = 0; k < ODD * 4; k++) {
        const int at = (const int[]){0, 1, LINES / 2, LINES - 1}[k / ODD];
        char *p = text;
        for (int i = 0; i < LINES; i++)
            p += i == at ? sprintf(p, "%s", odd[k % ODD]) : sprintf(p, "%d %d\n", i, i % 7);
        const spmv_read_options options = {.threads = 1 + k % 3};
        outcome o = read_edges(text, &options);
        cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
        cr_assert_not_null(o.info.labels.name_ptr, "%s", odd[k % ODD]);
        const int length = (int)strcspn(odd[k % ODD], " "), source = odd[k % ODD][0] == '0';
        const char *name = source ? odd[k % ODD] : strchr(odd[k % ODD], ' ') + 1;
        cr_expect_geq(
            spmv_label_find(&o.info.labels, name, source ? (size_t)length : strlen(name) - 1), 0,
            "%s", odd[k % ODD]);
        cr_expect_geq(spmv_label_find(&o.info.labels, "7", 1), 0);
        spmv_labels_destroy(&o.info.labels);
        spmv_destroy(&o.A);
    }
    const spmv_read_options ids = {.all_ids = true};
    for (int i = 0; i < 2; i++) {
        outcome o = read_edges(i == 0 ? "007 7\n1 02\n" : "1 2\t\n07 7\t\n", &ids);
        cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
        assert_entries(&o.A, "2 3 1; 8 8 1");
        spmv_destroy(&o.A);
    }
    outcome o = read_edges("01\t2\n3 4\n", &ids);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    assert_entries(&o.A, "2 3 1; 4 5 1");
    spmv_destroy(&o.A);
    o = read_edges("+07 7\n", NULL);
    cr_assert_not_null(o.info.labels.name_ptr);
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

/* Only an integer that is not what it becomes is told of, in lines of every kind. */
Test(edge_list, integer_weights_that_are_rounded_are_told_of)
{
    static const struct {
        const char *weight;
        int warnings;
    } cases[] = {{"9007199254740992", 0},        {"9007199254740993", 1},
                 {"-9007199254740993", 1},       {"9007199254740994", 0},
                 {"18446744073709551616", 0},    {"18446744073709551617", 1},
                 {"10000000000000000000000", 0}, {"1e30", 0},
                 {"9007199254740993.5", 0}};
    static const char *const lines[] = {"1 2 %s\n2 1 1\n", "a,b,%s\nb,a,1\n",
                                        "a b {'weight': %s}\n"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
            char text[128];
            snprintf(text, sizeof text, lines[k], cases[i].weight);
            outcome o = read_edges(text, NULL);
            cr_assert_eq(o.status, SPMV_SUCCESS, "%s: %s", text, o.err.message);
            cr_expect_eq(o.warnings.n, cases[i].warnings, "%s", text);
            spmv_labels_destroy(&o.info.labels);
            spmv_destroy(&o.A);
        }
}

/* ---- There and back ------------------------------------------------------------------------- */

static char path[96];

static void round_trip(uint64_t seed)
{
    spmv_coo A;
    spmv_error err;
    int64_t n = 1 + (int64_t)(spmv__mix(seed) % 200), nnz = (int64_t)(spmv__mix(seed + 1) % 400);
    spmv_type type = (spmv_type)(spmv__mix(seed + 2) % 3);
    cr_assert_eq(spmv_coo_create(&A, type, n, n, nnz, &err), SPMV_SUCCESS, "%s", err.message);
    for (int64_t p = 0; p < nnz; p++) {
        A.row_idx[p] = (int64_t)(spmv__uniform(seed, 3 * (uint64_t)p) * (double)n);
        A.col_idx[p] = (int64_t)(spmv__uniform(seed, 3 * (uint64_t)p + 1) * (double)n);
        spmv__set_value(type, A.val, p, spmv__uniform(seed, 3 * (uint64_t)p + 2) - 0.5);
    }
    cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_FIRST, NULL, &err), SPMV_SUCCESS);

    const spmv_write_options over = {.overwrite = true};
    const spmv_matrix given = {.coo = A};
    spmv_matrix stored, back;
    spmv_format format = (spmv_format)(spmv__mix(seed + 3) % SPMV_FORMATS);
    if (spmv_convert(&stored, &given, format, NULL, &err) != SPMV_SUCCESS)
        cr_assert_eq(spmv_convert(&stored, &given, SPMV_CSR, NULL, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_write_edges(&stored, path, &over, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_read(&back, path, NULL, NULL, &err), SPMV_SUCCESS, "seed %llu: %s",
                 (unsigned long long)seed, err.message);
    to_coordinates(&back);
    spmv_matrix narrow = back;
    if (type == SPMV_F32)
        cr_assert_eq(spmv_convert_values(&narrow, &back, type, &err), SPMV_SUCCESS);
    /* Without any edge the file cannot tell whether edges would have weights. */
    if (A.nnz > 0)
        cr_assert(spmv_identical(&narrow, &given), "seed %llu", (unsigned long long)seed);
    cr_assert_eq(back.head.rows, n, "seed %llu", (unsigned long long)seed);
    if (type == SPMV_F32) spmv_destroy(&narrow);
    spmv_destroy(&back);
    spmv_destroy(&stored);
    spmv_coo_destroy(&A);
}

Test(edge_list, random_graphs_come_back_as_they_were)
{
    snprintf(path, sizeof path, "/tmp/spmv-edges-%ld.el", (long)getpid());
    for (uint64_t seed = 1; seed <= 150; seed++) round_trip(1000 * seed);
    unlink(path);
}

Test(edge_list, what_an_edge_list_cannot_tell_is_not_written)
{
    spmv_matrix A = {.format = SPMV_COO};
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-edges-%ld.el", (long)getpid());
    A.head.rows = 3;
    A.head.cols = 4;
    cr_assert_eq(spmv_write_edges(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    A.head.cols = 3;
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_write_edges(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_neq(access(path, F_OK), 0);
}

/* ---- Labels and scores ---------------------------------------------------------------------- */

static void assert_file(const char *expected)
{
    char text[200] = "";
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    cr_assert_eq(n, strlen(expected));
    cr_assert_str_eq(text, expected);
}

Test(edge_list, labels_and_scores_are_written_by_label)
{
    int64_t ids[] = {3, 17, 1000};
    double numbers[] = {0.5, 0.25, 0.125, 1, 2, 3};
    spmv_dense scores = {SPMV_F64, 3, 1, numbers, false, false, NULL, 0};
    const spmv_labels labels = {.n = 3, .id = ids}, plain = {.n = 3, .first = 1};
    const spmv_write_options over = {.overwrite = true};
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-labels-%ld.txt", (long)getpid());
    cr_assert_eq(spmv_write_labels(&labels, path, &over, &err), SPMV_SUCCESS);
    assert_file("3\n17\n1000\n");
    cr_assert_eq(spmv_write_labels(&plain, path, &over, &err), SPMV_SUCCESS);
    assert_file("1\n2\n3\n");
    const spmv_score_layout wrong[] = {{.order = (const int64_t[]){0, 1, 1000}},
                                       {.order = (const int64_t[]){-1, 1, 2}},
                                       {.sources = (const int64_t[]){1000}}};
    for (int k = 0; k < 3; k++)
        cr_assert_eq(spmv_write_scores(&scores, &labels, &wrong[k], path, &over, &err),
                     SPMV_ERROR_INVALID_ARGUMENT, "%d", k);
    cr_assert_eq(spmv_write_scores(&scores, &labels, NULL, path, &over, &err), SPMV_SUCCESS);
    assert_file("3 0.5\n17 0.25\n1000 0.125\n");
    scores.cols = 2;
    cr_assert_eq(spmv_write_scores(&scores, &plain, NULL, path, &over, &err), SPMV_SUCCESS);
    assert_file("# node score_1 score_2\n1 0.5 1\n2 0.25 2\n3 0.125 3\n");
    unlink(path);
}

/* One short name leaves less room than the number of the last column takes. */
Test(edge_list, many_columns_without_sources_are_numbered)
{
    enum { COLUMNS = 12000 };
    int64_t name_ptr[] = {0, 2};
    double *numbers = calloc(COLUMNS, sizeof *numbers);
    char names[] = "a", last[] = " score_12000\n", *text = malloc(COLUMNS * 14);
    const spmv_dense scores = {SPMV_F64, 1, COLUMNS, numbers, false, false, NULL, 0};
    const spmv_labels labels = {.n = 1, .name_ptr = name_ptr, .names = names};
    const spmv_write_options over = {.overwrite = true};
    spmv_error err;
    snprintf(path, sizeof path, "/tmp/spmv-labels-%ld.txt", (long)getpid());
    cr_assert_eq(spmv_write_scores(&scores, &labels, NULL, path, &over, &err), SPMV_SUCCESS, "%s",
                 err.message);
    FILE *f = fopen(path, "r");
    cr_assert_not_null(fgets(text, COLUMNS * 14, f));
    cr_assert_str_eq(text + strlen(text) - strlen(last), last);
    fclose(f);
    free(text);
    free(numbers);
    unlink(path);
}

Test(edge_list, labels_are_found)
{
    int64_t ids[] = {3, 17, 1000};
    const spmv_labels sparse = {.n = 3, .id = ids}, plain = {.n = 3, .first = 1};
    static const struct {
        const char *name;
        int64_t sparse, plain; /* its row among either labels */
    } cases[] = {{"3", 0, 2},
                 {"17", 1, -1},
                 {"1000", 2, -1},
                 {"1", -1, 0},
                 {"2", -1, 1},
                 {"0", -1, -1},
                 {"4", -1, -1},
                 {"18", -1, -1},
                 {"", -1, -1},
                 {"-3", -1, -1},
                 {"3x", -1, -1},
                 {"9223372036854775807", -1, -1},
                 {"18446744073709551619", -1, -1}, /* 2^64 + 3 */
                 {"184467440737095516190", -1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t length = strlen(cases[i].name);
        cr_expect_eq(spmv_label_find(&sparse, cases[i].name, length), cases[i].sparse, "%s",
                     cases[i].name);
        cr_expect_eq(spmv_label_find(&plain, cases[i].name, length), cases[i].plain, "%s",
                     cases[i].name);
    }
    const spmv_labels far_below = {.n = 3, .first = INT64_MIN};
    cr_expect_eq(spmv_label_find(&far_below, "1", 1), -1);
}

Test(edge_list, labels_are_read_back)
{
    static const struct {
        const char *text, *message; /* NULL: they are labels */
        int64_t line;
    } cases[] = {{"# nodes\n3\n17\n1000\n", NULL, 0},   {"3\n17\n", "fewer labels", 0},
                 {"3\n17\n18\n19\n", "more labels", 0}, {"a\n\x01\nb\n", "control character", 2},
                 {"a\nb\n\xff\n", "not UTF-8", 3},      {"a\n\"\"\nb\n", "is empty", 2}};
    snprintf(path, sizeof path, "/tmp/spmv-labels-%ld.map", (long)getpid());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_error err = {0};
        spmv_labels labels;
        FILE *f = fopen(path, "w");
        fputs(cases[i].text, f);
        fclose(f);
        const spmv_status st = spmv_read_labels(&labels, path, 3, NULL, &err);
        cr_assert_eq(st == SPMV_SUCCESS, cases[i].message == NULL, "%s", cases[i].text);
        cr_assert_eq(err.line, cases[i].line, "%s", err.message);
        if (cases[i].message != NULL)
            cr_assert_not_null(strstr(err.message, cases[i].message), "%s", err.message);
        else
            cr_assert(labels.n == 3 && labels.id[0] == 3 && labels.id[2] == 1000);
        spmv_labels_destroy(&labels);
    }
    unlink(path);
}

static spmv_status read_scores(const char *text, spmv_dense *out, spmv_error *err)
{
    static int64_t ids[] = {3, 17, 1000};
    const spmv_labels labels = {.n = 3, .id = ids};
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    const spmv_status st = spmv_read_scores(out, path, &labels, "score", NULL, err);
    unlink(path);
    return st;
}

Test(edge_list, scores_are_read_by_label)
{
    static const struct {
        const char *text;
        double expected[3];
    } good[] = {{"17 0.5\n# none\n3,2\n17 0.25\n", {2, 0.75, 0}},
                {"1000", {0, 0, 1}},
                {"%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n", {1, 2, 3}}};
    static const struct {
        const char *text, *message;
        int64_t line, column;
    } bad[] = {{"3 1\n4 1\n", "no node 4", 2, 1},
               {"3 1\n17 x\n", "'x'", 2, 4},
               {"3 1 2\n", "a node and perhaps its score", 1, 5},
               {"x\n", "no node x", 1, 1},
               {"# nothing\n", "add up to 0", 0, 0},
               {"3 1\n17 -1\n", "not negative", 2, 4},
               {"3 nan\n", "finite", 1, 3},
               {"3 1e308\n17 1e308\n", "add up to inf", 0, 0},
               {"%%MatrixMarket matrix array real general\n3 1\n1\n-2\n3\n", "score 2 is -2", 0, 0},
               {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "2 numbers", 0, 0}};
    spmv_error err;
    spmv_dense x;
    snprintf(path, sizeof path, "/tmp/spmv-scores-%ld.txt", (long)getpid());
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_assert_eq(read_scores(good[i].text, &x, &err), SPMV_SUCCESS, "%s", err.message);
        cr_expect_arr_eq(x.data, good[i].expected, sizeof good[i].expected, "%s", good[i].text);
        spmv_dense_destroy(&x);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_neq(read_scores(bad[i].text, &x, &err), SPMV_SUCCESS, "%s", bad[i].text);
        cr_expect_not_null(strstr(err.message, bad[i].message), "%s", err.message);
        cr_expect(err.line == bad[i].line && err.column == bad[i].column, "%s", bad[i].text);
        cr_expect_null(x.data);
    }
}
