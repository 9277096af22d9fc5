/* graph_test.c -- the files of testdata/graphs do what stands beside them, in every format. */
#include "formats/file/any_file.h"
#include "formats/file/corpus_test.h"

#include <unistd.h>

enum { GRAPHS = 48 };

static void check_file(const char *path)
{
    outcome o = {0};
    spmv_read_options options = {.warn = take_remark, .user = &o.warnings};
    o.status = spmv_read(&o.A, path, &options, &o.info, &o.err);
    if (o.status == SPMV_SUCCESS) to_coordinates(&o.A);
    check_good(path, &o);
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

Test(graphs, read_as_expected)
{
    each_file("graphs/*", GRAPHS, check_file);
}

Test(graphs, strict_refuses_what_would_warn)
{
    each_file("graphs/*", GRAPHS, check_strict);
}

/* ---- As bytes ------------------------------------------------------------------------------- */

static const spmv__file_format *format_of(const char *path)
{
    const spmv__file_format *format = spmv__file_format_by_suffix(path);
    cr_assert_not_null(format, "%s", path);
    return format;
}

/* Blank lines at the end change nothing, but let all lines take the quick way. */
static void check_padded(const char *path)
{
    size_t size, pad = 200;
    char *text = load_file(path, &size);
    text = realloc(text, size + pad);
    memset(text + size, '\n', pad);
    outcome o = read_bytes_as(format_of(path), text, size + pad, NULL);
    check_good(path, &o);
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
    free(text);
}

Test(graphs, read_the_same_the_quick_way)
{
    each_file("graphs/*", GRAPHS, check_padded);
}

/* Cut anywhere, a file is read or refused, but nothing is read beyond its end. */
static void read_cut(const char *path, const char *text, size_t size, size_t at)
{
    outcome o = read_bytes_as(format_of(path), text, size, NULL);
    cr_assert(o.status == SPMV_SUCCESS || o.status == SPMV_ERROR_INVALID_FORMAT ||
                  o.status == SPMV_ERROR_UNSUPPORTED,
              "%s at %zu: %s", path, at, o.err.message);
    if (o.status != SPMV_SUCCESS) return;
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

static void check_cut(const char *path)
{
    check_cut_anywhere(path, read_cut);
}

Test(graphs, may_be_cut_anywhere)
{
    each_file("graphs/*", GRAPHS, check_cut);
}

/* Any byte replaced, the same. */
static void read_changed(const char *path, const char *text, size_t size, size_t at)
{
    spmv_error err;
    outcome o = read_bytes_as(format_of(path), text, size, NULL);
    if (o.status != SPMV_SUCCESS) return;
    cr_assert_eq(spmv_check(&o.A, &err), SPMV_SUCCESS, "%s, byte %zu is %d: %s", path, at, text[at],
                 err.message);
    spmv_labels_destroy(&o.info.labels);
    spmv_destroy(&o.A);
}

static void check_changed(const char *path)
{
    static const unsigned char bytes[] = {0, '\n', '\r', ' ', '%', '#', ',', '-', '9', 'x', 0xff};
    check_any_changed(path, 0, 200, bytes, sizeof bytes, read_changed);
}

Test(graphs, any_byte_may_be_another)
{
    each_file("graphs/*", GRAPHS, check_changed);
}

/* ---- The same graph ------------------------------------------------------------------------- */

static spmv_matrix read_file(const char *path)
{
    spmv_matrix A;
    spmv_error err;
    const spmv_read_options all = {.all_ids = true}; /* one has no edge */
    cr_assert_eq(spmv_read(&A, path, &all, NULL, &err), SPMV_SUCCESS, "%s: %s", path, err.message);
    to_coordinates(&A);
    return A;
}

static void check_same(const char *path)
{
    spmv_matrix A = read_file(SPMV_TESTDATA "/graphs/house_mtx.mtx"), B = read_file(path);
    cr_assert(spmv_identical(&A, &B), "%s", path);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(graphs, one_graph_is_the_same_in_every_format)
{
    each_file("graphs/house_*", 6, check_same);
}

/* ---- Recognised ----------------------------------------------------------------------------- */

/* Under a name that tells nothing; a list of nodes only is no edge list by content. */
static void check_recognised(const char *path)
{
    size_t size;
    char *text = load_file(path, &size), name[64];
    spmv_matrix A;
    spmv_file_info info;
    spmv_error err;
    if (strstr(path, "edges_none") != NULL) {
        free(text);
        return;
    }
    snprintf(name, sizeof name, "/tmp/spmv-graph-%ld", (long)getpid());
    FILE *f = fopen(name, "w");
    cr_assert_eq(fwrite(text, 1, size, f), size);
    fclose(f);
    spmv_status st = spmv_read(&A, name, NULL, &info, &err);
    unlink(name);
    cr_assert_eq(st, SPMV_SUCCESS, "%s: %s", path, err.message);
    cr_assert_str_eq(info.file_format, format_of(path)->info.name, "%s", path);
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    free(text);
}

Test(graphs, each_is_recognised_as_its_own_format)
{
    each_file("graphs/*", GRAPHS, check_recognised);
    each_file("good/*", 50, check_recognised);
}

/* Content that is certain belongs to one format. */
static void check_unique(const char *path)
{
    size_t size;
    char *text = load_file(path, &size);
    int n = 0;
    for (int i = 0; i < spmv_file_format_count(); i++) {
        const spmv__file_format *f = spmv__file_format_named(spmv_file_format_at(i)->name);
        n += f->recognise != NULL && f->recognise((const unsigned char *)text, (int64_t)size);
    }
    cr_assert_leq(n, 1, "%s", path);
    free(text);
}

Test(graphs, no_two_formats_are_certain_of_one_file)
{
    each_file("graphs/*", GRAPHS, check_unique);
    each_file("good/*", 50, check_unique);
}
