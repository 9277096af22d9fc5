/* convert_job.h -- what the files of spmv-convert share. */
#pragma once

#include "cli/files/inputs.h"
#include "cli/files/graph_options.h"
#include "cli/json/record.h"

enum { VALUES_F32, VALUES_F64, VALUES_PATTERN, VALUES_C64, VALUES_C128, VALUES_KEEP };
enum { INFO_TEXT, INFO_LINE, INFO_CSV };
enum { SYMMETRIC_EXPAND, SYMMETRIC_KEEP };

typedef struct convert_options {
    common_options common;
    /* The input */
    graph_options graph;
    int duplicates;   /* enum spmv_duplicates */
    int complex_part; /* one less than enum spmv_complex_part; -1: they stay complex */
    bool skip_invalid, strict, trust;
    option_words match, exclude; /* of a batch */
    /* The matrix */
    int values, symmetric;
    bool transpose, drop_zeros;
    /* The output */
    const char *to;         /* NULL: by suffix */
    const char *map;        /* file for the labels of the rows, or NULL */
    const char *output_dir; /* of a batch, or NULL */
    int64_t ell_width, hyb_width, sell_slice, sell_window, bsr_block;
    /* Instead of converting */
    bool check, info, list_formats, list_members;
    int format;      /* INFO_*, of --info */
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

/* From one file to another, and its map.  An output that cannot be is refused before any work.
 * What has been converted is said in `record`, unless that is NULL. */
spmv_status convert_file(const convert_options *o, const char *in, const char *out, report *record,
                         spmv_error *err);

/* The same, and the record of --json, which is refused before any work, too. */
spmv_status convert_one(const convert_options *o, const char *in, const char *out, spmv_error *err);

/* What is done with several files. */
typedef struct convert_task {
    const convert_options *options;
    const char *array; /* what the record of --json calls its list */
    bool prints;       /* something about the files to standard output, unless there is a record */
    spmv_status (*begin)(struct convert_task *task, spmv_error *err); /* NULL: nothing */
    spmv_status (*work)(struct convert_task *task, const tool_input *input, spmv_error *err);
    void (*end)(const struct convert_task *task); /* NULL: nothing */
    /* Set by convert_run: */
    report *all;     /* the list; NULL: there is no record */
    int files, done; /* how many there are, and with how many it succeeded */
} convert_task;

/* Do it with each of the files that are named, as --match and --exclude choose them, and write the
 * record, which is none of them: what fails is reported and stops no other.  Ends the tool: returns
 * the exit status, the highest there was. */
int convert_run(convert_task *task, const operands *files);

/* Record of a file whether it passed, and if not, why. */
void convert_record_outcome(report *r, spmv_status st, const spmv_error *err);

/* Do all of --output-dir, --check, --info, --spy, --list-formats and --list-members; each returns
 * what main must return. */
int convert_batch(const convert_options *o, const operands *inputs);
int convert_check(const convert_options *o, const operands *files);
int convert_info(const convert_options *o, const operands *files);
int convert_list_members(const convert_options *o, const operands *archives);
int convert_spy(const convert_options *o, const operands *files);
int convert_list(const common_options *common);
