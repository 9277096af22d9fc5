/* inputs.h -- the matrices that a batch is over: files that were named, and those in folders. */
#pragma once

#include "cli/tool/option.h"

typedef struct tool_input {
    char *path;    /* of a file, or, where `generated`, a specification for spmv-gen */
    size_t folder; /* what of it is the folder that was named, with its slash, or that of a file */
    char *name;    /* for people, none twice: HB/1138_bus of downloads/HB/1138_bus.tar.gz */
    bool generated;
} tool_input;

typedef struct tool_inputs {
    tool_input *item; /* [count], in the order of the command line; once chosen, none twice */
    int count, room;
    spmv_status unread; /* of a folder in one of them that cannot be read, which was told */
} tool_inputs;

/* Take the words of a command line.  Folders give the matrices in them, sorted: files with a suffix
 * that a format has, but text for tables (.txt, .csv, .tsv) only where it looks like a graph when
 * it is read as `reading` says (NULL: as usual); of an unpacked archive of the SuiteSparse
 * collection only the matrix.  What is left out is told, once a folder; folders within that cannot
 * be read are told, too, and do not stop the others.  Errors: FILE_IO, OUT_OF_MEMORY. */
spmv_status tool_inputs_find(tool_inputs *out, const operands *words,
                             const spmv_read_options *reading, spmv_error *err);

/* Add one that is no file.  Errors: OUT_OF_MEMORY. */
spmv_status tool_inputs_generate(tool_inputs *out, const char *specification, spmv_error *err);

/* Give all of them names, and keep those that one of `match` (where there is any) and none of
 * `exclude` fits: patterns as in a shell, for the name or for what stands after its last slash.
 * Errors: INVALID_ARGUMENT (none is left), OUT_OF_MEMORY. */
spmv_status tool_inputs_choose(tool_inputs *inputs, const option_words *match,
                               const option_words *exclude, spmv_error *err);
void tool_inputs_destroy(tool_inputs *inputs);

/* The files among them; free(out->word).  Errors: OUT_OF_MEMORY. */
spmv_status tool_inputs_files(operands *out, const tool_inputs *inputs, spmv_error *err);
