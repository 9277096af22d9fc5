/* composed.h -- outputs that are composed in memory: a file appears whole, or not at all. */
#pragma once

#include "spmv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints something; false where there is too little memory. */
typedef bool tool_composer(const void *what, FILE *out);

/* What it prints; the caller frees *text in any case.  Errors: OUT_OF_MEMORY. */
spmv_status tool_compose(char **text, size_t *size, tool_composer *compose, const void *what,
                         spmv_error *err);

/* The same to a file, or for "-" to standard output.  Errors: OUT_OF_MEMORY, FILE_IO. */
spmv_status tool_write_composed(const char *path, bool overwrite, tool_composer *compose,
                                const void *what, spmv_error *err);
