/* unpack.c -- a source that turns out to be packed gives what was packed.
 *
 * What is compressed twice stays an error: nobody does that on purpose. */
#include "unpack.h"

/* Failures inside a stream do not know the name of the file. */
static spmv_status named(const spmv__source *src, spmv_status st, spmv_error *err)
{
    if (st != SPMV_SUCCESS && err != NULL) memcpy(err->file, src->name, sizeof err->file);
    return st;
}

spmv_status spmv__source_unpack(spmv__source *src, spmv_error *err)
{
    const spmv__packing *packing = spmv__packing_find(src->data, src->size);
    spmv__stream *stream = NULL;
    spmv_status st = SPMV_SUCCESS;

    if (packing == NULL) return SPMV_SUCCESS;
    if (packing->decoder == NULL)
        return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "the file is compressed with %s, which this build cannot read: "
                                 "unpack it with `%s`",
                                 packing->name, packing->command);
    SPMV__TRY(spmv__decode_open(&stream, packing, src->data, src->size, err));
    SPMV__TRY(spmv__feed_open(&src->feed, stream, src->storage, err));
    src->storage = NULL;
    src->compression = packing->name;
    src->data = spmv__feed_first(src->feed)->data;
    src->size = spmv__feed_first(src->feed)->size;
done:
    return named(src, st, err);
}

spmv_status spmv__source_whole(spmv__source *src, spmv_error *err)
{
    if (src->feed == NULL || src->storage != NULL) return SPMV_SUCCESS;
    const spmv__block *first = spmv__feed_first(src->feed);
    const spmv_status st = spmv__stream_load(spmv__feed_stream(src->feed), first->data, first->size,
                                             &src->data, &src->size, &src->storage, err);
    return named(src, st, err);
}

spmv_status spmv__source_remark(const spmv__source *src, const spmv_read_options *options,
                                spmv_error *err)
{
    const char *remark = src->feed != NULL ? spmv__feed_stream(src->feed)->remark : "";
    return *remark == '\0' ? SPMV_SUCCESS : spmv__warn(src, options, 0, 0, err, "%s", remark);
}
