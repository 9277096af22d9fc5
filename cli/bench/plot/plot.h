/* plot.h -- pictures of results, and a page with all of them. */
#pragma once

#include "cli/bench/show/bench_result.h"
#include "cli/tool/common.h"

#include <stdio.h>

/* Each writes an SVG: the same results, the same bytes; nothing where there is nothing to show.
 * They return false when there is too little memory. */
bool plot_small(const bench_results *all, FILE *out); /* bars: matrices that fit the cache */
bool plot_large(const bench_results *all, FILE *out); /* bars: the others */
bool plot_roofline_cpu(const bench_results *all, FILE *out);
bool plot_roofline_gpu(const bench_results *all, FILE *out);
bool plot_profile_cpu(const bench_results *all, FILE *out);
bool plot_profile_gpu(const bench_results *all, FILE *out);

typedef struct plot {
    const char *name; /* of the file, without .svg */
    bool (*draw)(const bench_results *all, FILE *out);
    const char *caption;
} plot;
extern const plot plots[];
extern const int plot_count;

/* A page that needs no other file: the pictures, then every result. */
bool plot_page(const bench_results *all, FILE *out);

/* Refuse, before any work, a folder that is none or cannot be made, or in which a picture is one of
 * the inputs or of the other outputs, or exists (without --force).  Errors: FILE_IO,
 * INVALID_ARGUMENT. */
spmv_status plot_check(const char *folder, const operands *inputs, const common_options *common,
                       spmv_error *err);

/* All of them into a folder, which is made when it is missing.  Errors: FILE_IO (also: a file
 * exists and there is no `force`). */
spmv_status plot_write(const bench_results *all, const char *folder, bool force, spmv_error *err);
