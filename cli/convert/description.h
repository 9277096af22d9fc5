/* description.h -- what spmv-convert --info finds out about a file. */
#pragma once

#include "cli/convert/convert_job.h"

typedef struct description {
    const char *path, *name;
    spmv_file_info file;
    spmv_row_stats stats;
    spmv_structure structure;
    spmv_type type;
    spmv_format format;
    spmv_size sizes[SPMV_FORMATS]; /* in memory; all 0 where a format has none for the matrix, */
    spmv_status unsized[SPMV_FORMATS]; /* and why: INVALID_DIMENSION or UNSUPPORTED */
} description;

/* Read the file and examine the matrix in it.  Errors: those of spmv_read, OUT_OF_MEMORY. */
spmv_status description_make(description *d, const convert_options *o, const tool_input *input,
                             spmv_error *err);

/* A line for each file, below a heading: info_line.c; nothing stands above descriptions at length.
 */
void info_heading(int format); /* INFO_* */
void info_line(const description *d);
void info_csv(const description *d);

const char *description_field(const description *d);    /* of the values: "real", "f64", ... */
const char *description_declared(const description *d); /* symmetry, as the file has it */
const char *description_found(const description *d);    /* symmetry, as the entries have it */

/* Returns the fraction of the entries off the diagonal that `part` of them are; 1 where there are
 * none. */
double description_share(const description *d, int64_t part);

double description_density(const description *d);                     /* in [0, 1] */
int64_t description_bin_start(int bin), description_bin_end(int bin); /* row lengths in it */
