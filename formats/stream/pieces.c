/* pieces.c -- the text of a source in pieces that end at line ends.
 *
 * Memory is cut where it lies.  Blocks that come from a feed end anywhere: what follows the last
 * line end of one is copied in front of the next. */
#define _GNU_SOURCE /* memrchr */
#include "core/base/pages.h"
#include "formats/stream/feed.h"

#include <inttypes.h>

/* Behind the last line end of [begin, end), or NULL.  A CR at the very end may be half of a CR LF.
 */
static const unsigned char *last_line_end(const unsigned char *begin, const unsigned char *end)
{
    const unsigned char *p = memrchr(begin, '\n', (size_t)(end - begin));
    if (p == NULL && end > begin) p = memrchr(begin, '\r', (size_t)(end - begin - 1));
    return p == NULL ? NULL : p + 1;
}

static void next_in_memory(spmv__source *src, spmv__piece *out)
{
    const unsigned char *end = src->data + src->size;
    out->begin = src->data + src->given;
    out->end = end;
    if (end - out->begin > SPMV__BLOCK_SIZE) {
        const unsigned char *cut = out->begin + SPMV__BLOCK_SIZE;
        cut = memchr(cut, '\n', (size_t)(end - cut));
        if (cut != NULL) out->end = cut + 1;
    }
}

static spmv_status next_from_feed(spmv__source *src, spmv__piece *out, spmv_error *err)
{
    spmv__rest *rest = spmv__feed_rest(src->feed);
    spmv__block *block;
    if (rest->over) return SPMV_SUCCESS;
    spmv_status st = spmv__feed_take(src->feed, &block, err);
    if (st != SPMV_SUCCESS) return st;

    const unsigned char *end = block->data + block->size, *cut = end;
    rest->over = block->size < SPMV__BLOCK_SIZE;
    if (!rest->over) cut = last_line_end(block->data, end);
    if (cut == NULL)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                 "a line of more than %d bytes, from byte %" PRId64 " on",
                                 SPMV__BLOCK_SIZE, src->given);
    out->block = block;
    out->taken = block->taken;
    out->whole = spmv__feed_stream(src->feed)->whole;
    out->begin = block->data - rest->size;
    out->end = cut;
    memcpy(block->data - rest->size, rest->data, (size_t)rest->size);
    rest->size = end - cut;
    memcpy(rest->data, cut, (size_t)rest->size);
    return SPMV_SUCCESS;
}

spmv_status spmv__source_next(spmv__source *src, spmv__piece *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    *out = (spmv__piece){.offset = src->given};
    if (src->feed == NULL) {
        next_in_memory(src, out);
    } else {
        src->data = NULL;
        src->size = 0;
        st = next_from_feed(src, out, err);
    }
    src->given += out->end - out->begin;
    return st;
}

void spmv__source_release(spmv__source *src, const spmv__piece *piece)
{
    if (piece->block != NULL) spmv__feed_release(src->feed, piece->block);
}

void spmv__source_leave(const spmv__source *src, const unsigned char *begin,
                        const unsigned char *end)
{
    if (src->mapped != NULL && src->data == src->mapped) spmv__pages_leave(begin, end - begin);
}

void spmv__source_empty(spmv__source *src)
{
    if (src->feed != NULL) spmv__feed_empty(src->feed);
}

spmv_status spmv__source_rewind(spmv__source *src, spmv_error *err)
{
    src->given = 0;
    if (src->feed == NULL) return SPMV_SUCCESS;
    const spmv_status st = spmv__feed_rewind(src->feed, err);
    if (st != SPMV_SUCCESS) return st;
    src->data = spmv__feed_first(src->feed)->data;
    src->size = spmv__feed_first(src->feed)->size;
    return SPMV_SUCCESS;
}

bool spmv__source_believes(const spmv__source *src)
{
    return spmv__stream_check(spmv__feed_stream(src->feed), src->given, NULL) == SPMV_SUCCESS;
}

bool spmv__source_is_partial(const spmv__source *src)
{
    return src->feed != NULL && src->storage == NULL && src->size == SPMV__BLOCK_SIZE;
}
