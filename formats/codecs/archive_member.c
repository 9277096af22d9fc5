/* archive_member.c -- the matrix in an archive as a stream.
 *
 * The archive is read once from front to back: NAME/NAME.mtx is taken when it comes by, and what
 * follows is only looked at for a second one and for the checksum at the end.  Only when there is
 * none does a second pass fetch the member that was chosen instead. */
#include "formats/codecs/archive.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct member_stream {
    spmv__stream base;
    spmv__stream *packed; /* the archive, or NULL: it is data[size] */
    const unsigned char *data;
    int64_t size;
    spmv__archive *archive; /* NULL: everything was read */
    spmv__member_choice choice;
} member_stream;

/* Go to the beginning of the archive, from wherever it is. */
static spmv_status begin(member_stream *s, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__archive_close(s->archive);
    s->archive = NULL;
    if (s->packed != NULL) SPMV__TRY(s->packed->rewind(s->packed, err));
    SPMV__TRY(spmv__archive_open(&s->archive, s->packed, s->data, s->size, err));
done:
    return st;
}

/* This is the member that is read. */
static void take(member_stream *s, const char *name)
{
    snprintf(s->base.member, sizeof s->base.member, "%s", name);
}

/* Go to a file by its number. */
static spmv_status go_to(member_stream *s, int64_t index, spmv_error *err)
{
    spmv_status st;
    const char *name = "";
    SPMV__TRY(begin(s, err));
    for (int64_t i = 0; i <= index && name != NULL; i++)
        SPMV__TRY(spmv__archive_next(s->archive, &name, err));
    if (name == NULL)
        return spmv__fail(err, SPMV_ERROR_FILE_IO, "the archive was changed while it was read");
    take(s, name);
done:
    return st;
}

/* Go to the file that is the matrix. */
static spmv_status find(spmv__stream *self, spmv_error *err)
{
    member_stream *s = (member_stream *)self;
    spmv_status st;
    int64_t index;
    const char *name;

    s->choice = (spmv__member_choice){.known = s->choice.known, .wanted = s->choice.wanted};
    SPMV__TRY(begin(s, err));
    for (;;) {
        SPMV__TRY(spmv__archive_next(s->archive, &name, err));
        if (name == NULL) break;
        if (spmv__member_choice_add(&s->choice, name)) {
            take(s, name);
            goto done;
        }
    }
    SPMV__TRY(spmv__member_choice_settle(&s->choice, &index, err));
    SPMV__TRY(go_to(s, index, err));
done:
    return st;
}

/* Behind the matrix: is there a second one, and is the rest sound? */
static spmv_status finish(member_stream *s, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    unsigned char rest[4096];
    int64_t got = sizeof rest;
    const char *name;
    do {
        SPMV__TRY(spmv__archive_next(s->archive, &name, err));
        if (name != NULL) spmv__member_choice_add(&s->choice, name);
    } while (name != NULL);
    SPMV__TRY(spmv__member_choice_check(&s->choice, SPMV__MEMBER_MAIN, err));
    while (s->packed != NULL && got == sizeof rest)
        SPMV__TRY(s->packed->read(s->packed, rest, sizeof rest, &got, err));
    if (s->packed != NULL) memcpy(s->base.remark, s->packed->remark, sizeof s->base.remark);
    spmv__archive_close(s->archive);
    s->archive = NULL;
done:
    return st;
}

static spmv_status read(spmv__stream *self, unsigned char *out, int64_t room, int64_t *got,
                        spmv_error *err)
{
    member_stream *s = (member_stream *)self;
    spmv_status st = SPMV_SUCCESS;
    *got = 0;
    if (s->archive == NULL) return SPMV_SUCCESS;
    SPMV__TRY(spmv__archive_read(s->archive, out, room, got, err));
    s->base.taken = s->packed != NULL ? s->packed->taken : spmv__archive_taken(s->archive);
    if (*got < room) SPMV__TRY(finish(s, err));
done:
    return st;
}

static void close(spmv__stream *self)
{
    member_stream *s = (member_stream *)self;
    spmv__archive_close(s->archive);
    if (s->packed != NULL) s->packed->close(s->packed);
    free(s);
}

spmv_status spmv__member_open(spmv__stream **out, spmv__stream *packed, const unsigned char *data,
                              int64_t size, const char *wanted, const spmv__recogniser *known,
                              spmv_error *err)
{
    spmv_status st;
    member_stream *s = NULL;
    SPMV__TRY(spmv__alloc(&s, 1, sizeof *s, "an archive", err));
    *s = (member_stream){
        .packed = packed, .data = data, .size = size, .choice = {.known = known, .wanted = wanted}};
    packed = NULL;
    s->base.stage = "unpacking";
    s->base.file = data;
    s->base.whole = size;
    s->base.read = read;
    s->base.rewind = find;
    s->base.close = close;
    SPMV__TRY(find(&s->base, err));
    *out = &s->base;
    s = NULL;
done:
    if (packed != NULL) packed->close(packed);
    if (s != NULL) close(&s->base);
    return st;
}
