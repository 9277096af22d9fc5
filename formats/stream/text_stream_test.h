/* text_stream_test.h -- a stream over bytes in memory. */
#pragma once

#include "formats/stream/packed_test.h"

typedef struct text_stream {
    spmv__stream base;
    bytes text;
    bytes later; /* what it is from the second rewind on; without data: the same */
    size_t at;
    int rewinds;
} text_stream;

static inline spmv_status read_text(spmv__stream *self, unsigned char *out, int64_t room,
                                    int64_t *got, spmv_error *err)
{
    text_stream *s = (text_stream *)self;
    const bytes *text = s->rewinds > 1 && s->later.data != NULL ? &s->later : &s->text;
    const size_t left = text->size - s->at, n = left < (size_t)room ? left : (size_t)room;
    (void)err;
    memcpy(out, text->data + s->at, n);
    s->at += n;
    *got = (int64_t)n;
    return SPMV_SUCCESS;
}

static inline spmv_status rewind_text(spmv__stream *self, spmv_error *err)
{
    text_stream *s = (text_stream *)self;
    (void)err;
    s->at = 0;
    s->rewinds++;
    return SPMV_SUCCESS;
}

static inline void keep_text(spmv__stream *self)
{
    (void)self;
}

/* The texts stay the caller's. */
static inline text_stream stream_over(bytes text, bytes later)
{
    return (text_stream){.base = {.read = read_text, .rewind = rewind_text, .close = keep_text},
                         .text = text,
                         .later = later};
}
