/* unpack.h -- a source that is packed becomes what was packed. */
#pragma once

#include "formats/codecs/archive.h"
#include "formats/stream/input.h"

/* Returns whether what begins so is compressed, or an archive. */
bool spmv__looks_packed(const unsigned char *data, int64_t size);

/* See through compression and archives: from here on the source is what was packed.  Plain input
 * stays as it is.  Only the beginning is unpacked, without belief in any size that it claims.
 * Errors: UNSUPPORTED (not known to this build), INVALID_FORMAT (damaged; no member of the archive
 * is the matrix, or the one of options->member), OUT_OF_MEMORY. */
spmv_status spmv__source_unpack(spmv__source *src, const spmv__recogniser *known,
                                const spmv_read_options *options, spmv_error *err);

/* Tell the files of the archive that a source is.  Errors: UNSUPPORTED (not known to this build),
 * INVALID_FORMAT (damaged; no archive), OUT_OF_MEMORY. */
spmv_status spmv__source_members(const spmv__source *src, const spmv__recogniser *known,
                                 spmv_member_callback *each, void *user, spmv_error *err);

/* Unpack everything into memory: data[size] is the whole.  Nothing to do for plain input; not to be
 * mixed with spmv__source_next.  Errors: those of unpacking, OUT_OF_MEMORY. */
spmv_status spmv__source_whole(spmv__source *src, const spmv_read_options *options,
                               spmv_error *err);

/* Open, unpack and load: what is short, and is read as a whole.  Errors: those of the three. */
spmv_status spmv__source_read(spmv__source *src, const char *path, const spmv__recogniser *known,
                              const spmv_read_options *options, spmv_error *err);

/* Once everything has been read: report what was odd about the packing.  Errors: FILE_IO (the file
 * was changed meanwhile), those of spmv__warn. */
spmv_status spmv__source_remark(const spmv__source *src, const spmv_read_options *options,
                                spmv_error *err);
