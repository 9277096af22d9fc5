/* decoder.c -- a compressed file as a stream.
 *
 * A compressed file is a sequence of members, each with an end and a checksum of its own, as
 * `cat a.gz b.gz`, bgzip and pzstd make them.  Zeros after a member are padding and are remarked
 * upon; anything else that is no further member is an error, and so is a file that ends inside
 * one. */
#include "formats/stream/stream.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct decode_stream {
    spmv__stream base;
    const spmv__packing *packing;
    const unsigned char *data; /* [size] */
    int64_t size, at;
    void *state;
    bool inside; /* a member */
} decode_stream;

/* Why a step could not go on. */
static spmv_status fail(const decode_stream *s, spmv__decoded why, spmv_error *err)
{
    static const struct {
        spmv_status status;
        const char *what;
    } reasons[SPMV__DECODE_RESULTS] = {
        [SPMV__DECODE_ON] = {SPMV_ERROR_INVALID_FORMAT, "are truncated: they end at"},
        [SPMV__DECODE_DAMAGED] = {SPMV_ERROR_INVALID_FORMAT, "are damaged near"},
        [SPMV__DECODE_CHECKSUM] = {SPMV_ERROR_INVALID_FORMAT,
                                   "are damaged: they fail the checksum before"},
        [SPMV__DECODE_FOREIGN] = {SPMV_ERROR_UNSUPPORTED,
                                  "need what this build cannot unpack, near"},
        [SPMV__DECODE_MEMORY] = {SPMV_ERROR_OUT_OF_MEMORY,
                                 "need too much memory to be unpacked, near"},
    };
    return spmv__fail(err, reasons[why].status, "the %s data %s byte %lld", s->packing->name,
                      reasons[why].what, (long long)s->at);
}

/* Between members: over padding to the next one, or to the end. */
static spmv_status begin_member(decode_stream *s, spmv_error *err)
{
    const int64_t from = s->at;
    while (s->at < s->size && s->data[s->at] == 0) s->at++;
    if (s->at > from && s->base.remark[0] == '\0')
        snprintf(s->base.remark, sizeof s->base.remark,
                 "there are %lld zeros after the %s data, from byte %lld",
                 (long long)(s->at - from), s->packing->name, (long long)from);
    if (s->at == s->size) return SPMV_SUCCESS;

    const spmv__packing *next = spmv__packing_by_content(s->data + s->at, s->size - s->at);
    if (next == NULL || strcmp(next->name, s->packing->name) != 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "the %s data are followed by something else, at byte %lld",
                          s->packing->name, (long long)s->at);
    s->inside = true;
    return SPMV_SUCCESS;
}

/* One step, at most `room` bytes; *got of them came. */
static spmv_status step(decode_stream *s, unsigned char *out, int64_t room, int64_t *got,
                        spmv_error *err)
{
    const int64_t most = 1 << 30, left = s->size - s->at;
    spmv__window w = {.in = s->data + s->at, .out = out};
    w.in_size = (uint32_t)(left < most ? left : most);
    w.out_size = (uint32_t)(room < most ? room : most);
    const spmv__decoded result = s->packing->decoder->step(s->state, &w);
    const int64_t taken = w.in - (s->data + s->at);
    s->base.taken = s->at += taken;
    *got = w.out - out;
    if (result == SPMV__DECODE_END) s->inside = false;
    if (result == SPMV__DECODE_END || (result == SPMV__DECODE_ON && taken + *got > 0))
        return SPMV_SUCCESS;
    /* A step that leads nowhere, with room for more, needs more input. */
    return fail(s, result == SPMV__DECODE_ON && left > 0 ? SPMV__DECODE_DAMAGED : result, err);
}

static void close_decoder(decode_stream *s)
{
    if (s->state != NULL) s->packing->decoder->close(s->state);
    s->state = NULL;
}

static spmv_status read(spmv__stream *self, unsigned char *out, int64_t room, int64_t *got,
                        spmv_error *err)
{
    decode_stream *s = (decode_stream *)self;
    spmv_status st = SPMV_SUCCESS;
    for (*got = 0; *got < room;) {
        int64_t more = 0;
        if (!s->inside) SPMV__TRY(begin_member(s, err));
        if (!s->inside) break;
        SPMV__TRY(step(s, out + *got, room - *got, &more, err));
        *got += more;
    }
    if (*got < room) close_decoder(s); /* it is over, and there is memory to go back */
done:
    return st;
}

static spmv_status rewind_stream(spmv__stream *self, spmv_error *err)
{
    decode_stream *s = (decode_stream *)self;
    void *state = NULL;
    close_decoder(s);
    s->at = 0;
    s->inside = false;
    const spmv_status st = s->packing->decoder->open(&state, err);
    if (st == SPMV_SUCCESS) s->state = state;
    return st;
}

static void close_stream(spmv__stream *self)
{
    decode_stream *s = (decode_stream *)self;
    close_decoder(s);
    free(s);
}

spmv_status spmv__decode_open(spmv__stream **out, const spmv__packing *packing,
                              const unsigned char *data, int64_t size, spmv_error *err)
{
    decode_stream *s;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "unpacking", err);
    if (st != SPMV_SUCCESS) return st;
    *s = (decode_stream){.packing = packing, .data = data, .size = size};
    s->base.stage = "unpacking";
    s->base.file = data;
    s->base.whole = size;
    s->base.read = read;
    s->base.rewind = rewind_stream;
    s->base.close = close_stream;
    st = rewind_stream(&s->base, err);
    if (st == SPMV_SUCCESS)
        *out = &s->base;
    else
        close_stream(&s->base);
    return st;
}
