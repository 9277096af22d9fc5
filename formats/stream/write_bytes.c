/* write_bytes.c -- a finished text or record, written whole or not at all. */
#include "formats/stream/sink.h"

spmv_status spmv_write_bytes(const void *data, size_t size, const char *path,
                             const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    SPMV__REQUIRE(path != NULL && (data != NULL || size == 0), err);
    const spmv_status st = spmv__sink_open(&sink, path, options, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__sink_write(sink, data, size);
    return spmv__sink_commit(&sink, err);
}
