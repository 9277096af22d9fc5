/* any_file.h -- the table of file formats, for what reads and writes files of any format. */
#pragma once

#include "formats/codecs/unpack.h"
#include "formats/common/file_format.h"

/* The record that fits, or NULL. */
const spmv__file_format *spmv__file_format_named(const char *name);
const spmv__file_format *spmv__file_format_by_content(const spmv__source *src);
const spmv__file_format *spmv__file_format_by_suffix(const char *path);

/* The record that reads a vector from the source; NULL: it is plain text.  Errors: INVALID_ARGUMENT
 * (no such format), UNSUPPORTED (one without vectors). */
spmv_status spmv__vector_format(const spmv__file_format **out, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err);

/* The record for an output: named by the options, else by the suffix of path, else Matrix Market.
 * Errors: INVALID_ARGUMENT (no such format). */
spmv_status spmv__file_format_for_output(const spmv__file_format **out, const char *path,
                                         const spmv_write_options *options, spmv_error *err);

/* What a file of an unsupported format is, as far as content or the suffix of its name tell, as in
 * "the file is a tensor, which is not supported"; NULL for any other. */
const char *spmv__find_foreign(const spmv__source *src, const char *name);

/* The knowledge of the table about files inside of packed ones. */
extern const spmv__recogniser spmv__known_files;
