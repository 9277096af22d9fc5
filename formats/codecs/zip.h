/* zip.h -- writing zip archives; for reading them see unpack.h. */
#pragma once

#include "formats/stream/sink.h"

typedef struct spmv__zip spmv__zip;

/* Write a zip archive to the sink.  Members are stored, not compressed, and carry no time: equal
 * members give equal bytes.  Errors: OUT_OF_MEMORY, UNSUPPORTED (not in this build); the sink keeps
 * its own. */
spmv_status spmv__zip_create(spmv__zip **out, spmv__sink *sink, spmv_error *err);
spmv_status spmv__zip_begin(spmv__zip *zip, const char *name, int64_t size, spmv_error *err);
spmv_status spmv__zip_write(spmv__zip *zip, const void *data, int64_t size, spmv_error *err);
spmv_status spmv__zip_finish(spmv__zip *zip, spmv_error *err); /* the directory at the end */
void spmv__zip_close(spmv__zip *zip);                          /* NULL is allowed */
