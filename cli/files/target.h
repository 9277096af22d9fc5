/* target.h -- which format a matrix is written in, and writing it. */
#pragma once

#include "spmv.h"

/* The format in which a file is written.  A storage format stands for a binary file that holds it;
 * other file formats take the matrix as it is. */
typedef struct tool_target {
    const char *name; /* "mtx", "csr", ... */
    const spmv_file_format *file;
    const char *file_format; /* as write options name it: that of file, or a variant */
    bool takes_any;          /* storage format of the matrix */
    spmv_format format;      /* of the matrix, unless the file takes any */
} tool_target;

/* Returns the format named `to`; where that is NULL, the one that the suffix of path names; where
 * there is none, `otherwise`.  A suffix that no format has, or one that is only read, is misuse. */
tool_target target_of(const char *path, const char *to, const char *otherwise);

/* The suffix, with its dot, of files in the format that --to calls `name`. */
const char *target_suffix(const char *name, char suffix[SPMV_SUFFIX_SIZE]); /* suffix */

const char *target_name(int i); /* what --to takes; NULL at the end */

/* Returns the storage format that A must have to be written. */
spmv_format target_format(const tool_target *t, const spmv_matrix *A);

/* Convert A to the format that it is written in, as a phase of the run; nothing where the file
 * takes any. */
spmv_status target_convert(const tool_target *t, spmv_matrix *A, spmv_error *err);

/* Write A, already in the format of the target, as a phase of the run; `labels` names its rows,
 * which are 1, 2, ... where it is NULL.  Nothing happens where path is NULL. */
spmv_status target_write(const tool_target *t, const spmv_matrix *A, const spmv_labels *labels,
                         const char *path, bool overwrite, spmv_error *err);
