/* corpus_test.c -- every file of testdata/good and testdata/bad does what stands beside it. */
#include "formats/file/corpus_test.h"

/* ---- Good ----------------------------------------------------------------------------------- */

static void test_good_file(const char *path)
{
    outcome o = {0};
    spmv_read_options options = {.warn = take_remark, .user = &o.warnings};
    o.status = spmv_read(&o.A, path, &options, &o.info, &o.err);
    if (o.status == SPMV_SUCCESS) to_coordinates(&o.A);
    check_good(path, &o);
    cr_assert_str_eq(o.info.file_format, "mtx");
    spmv_destroy(&o.A);
}

Test(corpus, good_files_read_as_expected)
{
    each_file("good/*.mtx", 50, test_good_file);
}

/* Blank lines at the end change nothing, but let all lines take the quick way. */
static void test_good_padded(const char *path)
{
    size_t size, pad = 200;
    char *text = load_file(path, &size);
    text = realloc(text, size + pad);
    memset(text + size, '\n', pad);
    outcome o = read_bytes(text, size + pad, NULL);
    check_good(path, &o);
    spmv_destroy(&o.A);
    free(text);
}

Test(corpus, good_files_read_the_same_the_quick_way)
{
    each_file("good/*.mtx", 50, test_good_padded);
}

Test(corpus, strict_refuses_what_would_warn)
{
    each_file("good/*.mtx", 50, check_strict);
}

/* Cut anywhere, a file is read or refused, but nothing is read beyond its end. */
static void test_good_cut(const char *path)
{
    size_t size;
    char *text = load_file(path, &size);
    for (size_t cut = 0; cut < size; cut++) {
        outcome o = read_bytes(text, cut, NULL);
        cr_assert(o.status == SPMV_SUCCESS || o.status == SPMV_ERROR_INVALID_FORMAT,
                  "%s at %zu: %s", path, cut, o.err.message);
        if (o.status == SPMV_SUCCESS) spmv_destroy(&o.A);
    }
    free(text);
}

Test(corpus, good_files_may_be_cut_anywhere)
{
    each_file("good/*.mtx", 50, test_good_cut);
}

/* ---- Bad ------------------------------------------------------------------------------------ */

Test(corpus, bad_files_are_refused_with_place_and_reason)
{
    each_file("bad/*", 100, check_bad);
}

static void test_bad_padded(const char *path)
{
    size_t size, pad = 200;
    char *text = load_file(path, &size);
    text = realloc(text, size + pad);
    memset(text + size, '\n', pad);
    outcome o = read_bytes(text, size + pad, NULL);
    cr_assert_neq(o.status, SPMV_SUCCESS, "%s was read", path);
    free(text);
}

Test(corpus, bad_files_are_refused_the_quick_way_too)
{
    each_file("bad/*.mtx", 60, test_bad_padded);
}

/* ---- The list of them ----------------------------------------------------------------------- */

static char *readme;

static void test_listed(const char *path)
{
    char row[256];
    snprintf(row, sizeof row, "| `%s` |", strrchr(path, '/') + 1);
    cr_assert_not_null(strstr(readme, row), "%s is not in testdata/README.md", path);
}

Test(corpus, every_file_is_listed)
{
    size_t size;
    readme = load_file(SPMV_TESTDATA "/README.md", &size);
    each_file("good/*.mtx", 50, test_listed);
    each_file("bad/*", 100, test_listed);
    each_file("graphs/*", 30, test_listed);
    each_file("boeing/*", 16, test_listed);
    free(readme);
}
