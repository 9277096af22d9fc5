/* sink.h -- the bytes of an output, which appears whole or not at all. */
#pragma once

#include "core/base/base.h"

/* Buffered output that appears under its name whole or not at all: a temporary file beside it
 * until spmv__sink_commit syncs and renames it.  "-" is standard output.  The first failure is
 * kept and reported by commit, so that writes need not be checked one by one. */
typedef struct spmv__sink spmv__sink;

/* options: NULL is the default. */
spmv_status spmv__sink_open(spmv__sink **out, const char *path, const spmv_write_options *options,
                            spmv_error *err);
void spmv__sink_expect(spmv__sink *sink, int64_t bytes); /* that are still to come, about */
void spmv__sink_write(spmv__sink *sink, const void *data, size_t size);

/* Reserve the next bytes of an output to which all threads may bring theirs; *at: their place.
 * False: it is none, and nothing was done. */
bool spmv__sink_reserve(spmv__sink *sink, size_t size, int64_t *at);
/* Bring bytes that were reserved, until the sink is committed; by any thread, also while another
 * one writes.  Returns 0, or an errno for spmv__sink_fail. */
int spmv__sink_fill(const spmv__sink *sink, const void *data, size_t size, int64_t at);
void spmv__sink_fail(spmv__sink *sink, int why); /* an errno, or 0: nothing failed */

/* Whether bytes can go to any place of the output: it is a file of its own, and not compressed. */
bool spmv__sink_has_places(const spmv__sink *sink);
/* Put bytes at a place of such an output, at once; spmv__sink_write is not used beside it. */
void spmv__sink_write_at(spmv__sink *sink, const void *data, size_t size, int64_t at);

/* Let other processes write to places of such an output, too: `path` gets what they join by, as
 * long as it is not committed.  Errors: FILE_IO (a path of more than `size` bytes). */
spmv_status spmv__sink_share(const spmv__sink *sink, char *path, size_t size, spmv_error *err);

/* Join an output that another process shares and will commit; name: what it is to become, for what
 * is said about it.  Committing this sink syncs what was written, where the other process cannot,
 * and discarding it takes nothing back.  Errors: FILE_IO (also: there is no such file here). */
spmv_status spmv__sink_join(spmv__sink **out, const char *path, const char *name,
                            const spmv_write_options *options, spmv_error *err);

/* The first failure so far, for those who write for long. */
spmv_status spmv__sink_status(const spmv__sink *sink, spmv_error *err);
void spmv__sink_printf(spmv__sink *sink, const char *format, ...) SPMV__PRINTF(2, 3);
/* Releases the sink in any case, and leaves NULL. */
spmv_status spmv__sink_commit(spmv__sink **sink, spmv_error *err);
void spmv__sink_discard(spmv__sink *sink); /* NULL is allowed */

/* Write the lines 0 .. count - 1, made by all threads, in order.
 *
 *   line_size  bytes that a line has at most
 *   make       puts the lines begin .. end - 1 at `out`, which has room for as many of the largest
 *              size; returns their end
 *
 * Errors: OUT_OF_MEMORY. */
typedef char *spmv__line_maker(const void *user, int64_t begin, int64_t end, char *out);
spmv_status spmv__write_lines(spmv__sink *sink, int64_t count, int line_size,
                              spmv__line_maker *make, const void *user, spmv_error *err);
