/* blocks_test.h -- text that is read in blocks side by side gives the same matrix, with the same
 * words, for any number of threads and wherever it is cut. */
#pragma once

#include "formats/text/read_text_test.h"

static const struct {
    int64_t block_bytes;
    int threads;
} cuts[] = {{1, 1}, {1, 3}, {7, 2}, {33, 16}, {64, 7}, {200, 2}, {1000, 3}, {5000, 16}};

enum { CUTS = sizeof cuts / sizeof cuts[0] };

/* Reads a source in blocks of so many bytes or more. */
typedef spmv_status block_reader(spmv_matrix *out, spmv__source *src,
                                 const spmv_read_options *options, int64_t block_bytes,
                                 spmv_file_info *info, spmv_error *err);

/* Read text in blocks of a given size; what comes before the text is the end of something else. */
static inline outcome read_blocks(block_reader *reader, const char *text, size_t size,
                                  const spmv_read_options *options, int64_t block_bytes,
                                  int threads)
{
    outcome o = {0};
    spmv_read_options with = *options;
    unsigned char *copy = malloc(size + 1);
    cr_assert_not_null(copy);
    memcpy(copy, text, size);
    copy = realloc(copy, size > 0 ? size : 1);
    spmv__source src = {.name = "text", .data = copy, .size = (int64_t)size};
    with.threads = threads;
    with.warn = take_remark;
    with.user = &o.warnings;
    o.status = reader(&o.A, &src, &with, block_bytes, &o.info, &o.err);
    free(copy);
    return o;
}

static inline void outcome_destroy(outcome *o)
{
    spmv_labels_destroy(&o->info.labels);
    spmv_destroy(&o->A);
}

static inline void assert_same_place(const spmv_error *a, const spmv_error *b, const char *label)
{
    cr_assert_str_eq(a->message, b->message, "%s", label);
    cr_assert(a->line == b->line && a->column == b->column, "%s: %lld:%lld, not %lld:%lld", label,
              (long long)a->line, (long long)a->column, (long long)b->line, (long long)b->column);
}

static inline void assert_same(const outcome *a, const outcome *b, const char *label)
{
    cr_assert_eq(a->status, b->status, "%s: %s", label, a->err.message);
    if (a->status != SPMV_SUCCESS) {
        assert_same_place(&a->err, &b->err, label);
        return;
    }
    cr_assert_eq(a->warnings.n, b->warnings.n, "%s", label);
    for (int i = 0; i < a->warnings.n; i++)
        assert_same_place(&a->warnings.list[i], &b->warnings.list[i], label);
    cr_assert_eq(a->info.entries, b->info.entries, "%s", label);
    cr_assert_eq(a->info.duplicates, b->info.duplicates, "%s", label);
    cr_assert_eq(a->info.skipped, b->info.skipped, "%s", label);
    cr_assert(spmv_labels_equal(&a->info.labels, &b->info.labels), "%s", label);
    cr_assert(spmv_identical(&a->A, &b->A), "%s", label);
}

/* Whatever it comes to in one block, it comes to in any. */
static inline outcome read_in_many_ways(block_reader *reader, const char *text, size_t size,
                                        const spmv_read_options *options, const char *name)
{
    const outcome whole = read_blocks(reader, text, size, options, INT64_MAX / 64, 1);
    char label[400];
    for (int i = 0; i < CUTS; i++) {
        outcome o = read_blocks(reader, text, size, options, cuts[i].block_bytes, cuts[i].threads);
        snprintf(label, sizeof label, "%s in blocks of %lld, %d threads", name,
                 (long long)cuts[i].block_bytes, cuts[i].threads);
        assert_same(&o, &whole, label);
        outcome_destroy(&o);
    }
    return whole;
}

/* A file, with each of the options. */
static inline void read_file_in_many_ways(block_reader *reader, const char *path,
                                          const spmv_read_options *options, size_t count)
{
    size_t size;
    char *text = load_file(path, &size);
    for (size_t k = 0; k < count; k++) {
        outcome o = read_in_many_ways(reader, text, size, &options[k], path);
        outcome_destroy(&o);
    }
    free(text);
}
