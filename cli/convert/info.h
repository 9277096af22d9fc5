/* info.h -- what spmv-convert --info finds out about a file. */
#ifndef SPMV_CLI_CONVERT_INFO_H
#define SPMV_CLI_CONVERT_INFO_H

#include "cli/json/record.h"

typedef struct description {
    const char *path;
    spmv_file_info file;
    spmv_row_stats stats;
    spmv_structure structure;
    spmv_type type;
    spmv_format format;
    spmv_size sizes[SPMV_FORMATS]; /* in memory; all 0 where a format has none for the matrix */
} description;

const char *description_field(const description *d);    /* of the values: "real", "f64", ... */
const char *description_declared(const description *d); /* symmetry, as the file has it */
const char *description_found(const description *d);    /* symmetry, as the entries have it */

/* Fraction of the entries off the diagonal that `part` of them are; 1 where there are none. */
double description_share(const description *d, int64_t part);

double description_density(const description *d);                     /* in [0, 1] */
int64_t description_bin_start(int bin), description_bin_end(int bin); /* row lengths in it */

void description_print(const description *d);             /* as text, on standard output */
void description_record(const description *d, report *r); /* as members of r */

#endif
