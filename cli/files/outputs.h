/* outputs.h -- refusing an output, or an option, before any work is done for it. */
#pragma once

#include "cli/tool/common.h"

/* Refuse, before any work, an output that is one of the inputs, exists (unless `overwrite`), or is
 * a terminal that would get binary data.  "-" and NULL are standard output or input.
 * Errors: INVALID_ARGUMENT, FILE_IO. */
spmv_status tool_check_output(const char *path, bool binary, bool overwrite, const operands *inputs,
                              spmv_error *err);

/* The same for an output beside that, such as --json and --map; NULL: there is none. */
spmv_status tool_check_side_output(const char *path, const common_options *common,
                                   const operands *inputs, spmv_error *err);

/* Refuse, before any work, a file or folder that cannot be made where it is to be.  One that is
 * there already, "-" and NULL are fine.  Errors: FILE_IO. */
spmv_status tool_check_folder(const char *path, spmv_error *err);

/* An output of the command line, and its name in a sentence. */
typedef struct tool_output {
    const char *path; /* "-": standard output; NULL: there is none */
    const char *name; /* "--json" */
} tool_output;

/* End in misuse when two of them go to the same place, however their folders are spelt.  A place
 * that can take several, such as /dev/null, may be named again. */
void tool_check_apart(const tool_output *outputs, int count);

/* End in misuse when one of them was given, though `mode`, such as --check, does not use it. */
void tool_refuse_unused(const char *mode, const tool_output *outputs, int count);

/* An option that only some of the ways to use a tool, or some file formats, know. */
typedef struct tool_scope {
    const void *value; /* the member of the options that it sets; NULL: it is used */
    const char *name;  /* "--trust" */
    const char *used;  /* the modes or formats that use it, with a blank before and after each */
} tool_scope;

/* The file formats that may give an entry more than once. */
#define TOOL_REPEATING_FORMATS " mtx el npz metis dimacs graphml rb mat "

/* Is a mode or format one of those that are used? */
bool tool_in_scope(const char *used, const char *word);

/* End in misuse when an option was given that `mode` does not use. */
void tool_refuse_scoped(const common_options *common, const char *mode, const tool_scope *scopes,
                        int count);

/* Warn of options that have no effect on the file at `path`, as it is of this format. */
void tool_warn_scoped(const common_options *common, const char *path, const char *format,
                      const tool_scope *scopes, int count);

/* End in misuse when the suffix of an output names a file format that holds no vectors; `names` are
 * suffixes to use instead. */
void tool_check_vectors(const char *path, const char *names);
