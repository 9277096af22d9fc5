/* convert_job.h -- what the files of spmv-convert share. */
#pragma once

#include "cli/json/record.h"
#include "cli/tool/common.h"

enum { VALUES_F32, VALUES_F64, VALUES_PATTERN, VALUES_C64, VALUES_C128, VALUES_KEEP };
enum { SYMMETRIC_EXPAND, SYMMETRIC_KEEP };

typedef struct convert_options {
    common_options common;
    /* The input */
    const char *from; /* NULL: recognised from the content */
    int duplicates;   /* enum spmv_duplicates */
    int complex_part; /* one less than enum spmv_complex_part; -1: they stay complex */
    int index_base;   /* one less than enum spmv_index_base */
    bool skip_invalid, strict, trust;
    bool undirected, all_ids, count_repeated;
    /* The matrix */
    int values, symmetric;
    bool transpose, drop_zeros;
    /* The output */
    const char *to;  /* NULL: by suffix */
    const char *map; /* file for the labels of the rows, or NULL */
    int64_t ell_width, hyb_width, sell_slice, sell_window, bsr_block;
    /* Instead of converting */
    bool check, info, list_formats;
    const char *spy; /* the picture; NULL: none */
} convert_options;

/* Read a matrix as the options say, also each edge both ways; symmetry stays as the file has it
 * when `keep` is set.  The caller destroys the labels in *info. */
spmv_status convert_read(const convert_options *o, spmv_matrix *out, const char *path, bool keep,
                         spmv_file_info *info, spmv_error *err);

/* Expand, drop, narrow, transpose and change the format of A, which came from `path`, each as far
 * as it was asked for.  On failure A is what it had become until then. */
spmv_status convert_matrix(const convert_options *o, spmv_matrix *A, spmv_format format,
                           const char *path, spmv_error *err);

/* Do all of --check, --info, --spy and --list-formats; each returns what main must return. */
int convert_check(const convert_options *o, const operands *files);
int convert_info(const convert_options *o, const operands *files);
int convert_spy(const convert_options *o, const operands *files);
int convert_list(const common_options *common);
