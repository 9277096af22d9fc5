/* unpack.c -- a source that turns out to be packed gives what was packed.
 *
 * What is compressed twice is an error, as it hardly is on purpose. */
#include "formats/codecs/unpack.h"
#include "formats/stream/feed.h"

#include <stdio.h>

/* Failures inside a stream do not know the name of the file. */
static spmv_status named(const spmv__source *src, spmv_status st, spmv_error *err)
{
    if (st != SPMV_SUCCESS && err != NULL) memcpy(err->file, src->name, sizeof err->file);
    return st;
}

/* Kinds of archives, by bytes near their beginning.  Both ways to begin a tar end in a byte 0,
 * which no text has. */
static const struct archive_kind {
    const char *name, *magic;
    int64_t length, at;
    const char *command;
    bool packed; /* may be compressed as a whole */
} archive_kinds[] = {
    {"tar", "ustar", 6, 257, "tar -xf", true},
    {"tar", "ustar  ", 8, 257, "tar -xf", true},
    {"zip", "PK\x03\x04", 4, 0, "unzip", false},
};

enum { ARCHIVE_KINDS = sizeof archive_kinds / sizeof archive_kinds[0], BEGINNING = 512 };

static const struct archive_kind *archive_by_content(const unsigned char *data, int64_t size)
{
    for (int i = 0; i < ARCHIVE_KINDS; i++) {
        const struct archive_kind *kind = &archive_kinds[i];
        if (size >= kind->at + kind->length &&
            memcmp(data + kind->at, kind->magic, (size_t)kind->length) == 0)
            return kind;
    }
    return NULL;
}

/* NULL as well for what is in a file format, however it looks: some are zip archives inside. */
static const struct archive_kind *find_archive(const spmv__recogniser *known,
                                               const unsigned char *data, int64_t size)
{
    return known->is_known(data, size) ? NULL : archive_by_content(data, size);
}

bool spmv__looks_packed(const unsigned char *data, int64_t size)
{
    return spmv__packing_by_content(data, size) != NULL || archive_by_content(data, size) != NULL;
}

static spmv_status unknown(const spmv__source *src, const char *what, const char *name,
                           const char *command, spmv_error *err)
{
    return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "the file is %s %s, which this build cannot read: unpack it with `%s`",
                             what, name, command);
}

static spmv_status open_decoder(spmv__stream **out, const spmv__source *src, spmv_error *err)
{
    const spmv__packing *packing = spmv__packing_by_content(src->data, src->size);
    if (packing == NULL) return SPMV_SUCCESS;
    if (packing->decoder == NULL)
        return unknown(src, "compressed with", packing->name, packing->command, err);
    return named(src, spmv__decode_open(out, packing, src->data, src->size, err), err);
}

/* Put an archive's stream on top of *stream, if what comes from there begins[size] as an archive;
 * it begins again then. */
static spmv_status open_archive(spmv__stream **stream, const spmv__source *src,
                                const unsigned char *begin, int64_t size,
                                const spmv__recogniser *known, const char *member, spmv_error *err)
{
    spmv__stream *packed = *stream;
    const struct archive_kind *kind = find_archive(known, begin, size);
    if (kind == NULL && member != NULL)
        return named(src,
                     spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                "there is no member '%.60s': the file is not an archive", member),
                     err);
    if (kind == NULL || (packed != NULL && !kind->packed)) return SPMV_SUCCESS;
    if (!SPMV_HAVE_ARCHIVE) return unknown(src, "a", kind->name, kind->command, err);
    *stream = NULL;
    return named(src, spmv__member_open(stream, packed, src->data, src->size, member, known, err),
                 err);
}

/* The name of the member that was found becomes a part of the name of the source. */
static void name_member(spmv__source *src, const char *member)
{
    const size_t used = strlen(src->name);
    snprintf(src->member, sizeof src->member, "%s", member);
    if (member[0] != '\0') snprintf(src->name + used, sizeof src->name - used, "(%s)", member);
}

spmv_status spmv__source_unpack(spmv__source *src, const spmv__recogniser *known,
                                const spmv_read_options *options, spmv_error *err)
{
    const spmv__packing *packing = spmv__packing_by_content(src->data, src->size);
    spmv__stream *stream = NULL, *decoder;
    unsigned char beginning[BEGINNING];
    const unsigned char *begin = src->data;
    int64_t size = src->size;
    spmv_status st;

    SPMV__TRY(open_decoder(&stream, src, err));
    decoder = stream;
    if (decoder != NULL) {
        begin = beginning;
        SPMV__TRY(named(src, decoder->read(decoder, beginning, BEGINNING, &size, err), err));
    }
    SPMV__TRY(open_archive(&stream, src, begin, size, known, options->member, err));
    if (stream == NULL) return SPMV_SUCCESS;
    if (stream != decoder) size = 0; /* the archive has begun again */
    name_member(src, stream->member);
    st = spmv__feed_open(&src->feed, stream, begin, size, src->storage, err);
    stream = NULL;
    SPMV__TRY(named(src, st, err));
    src->storage = NULL;
    src->compression = packing != NULL ? packing->name : NULL;
    src->data = spmv__feed_first(src->feed)->data;
    src->size = spmv__feed_first(src->feed)->size;
    if (spmv__packing_by_content(src->data, src->size) != NULL ||
        find_archive(known, src->data, src->size) != NULL)
        st = spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                               "the file is compressed twice: unpack it first");
done:
    if (stream != NULL) stream->close(stream);
    return st;
}

/* Tell every file of an archive, from its beginning. */
static spmv_status tell_members(const spmv__source *src, spmv__stream *packed,
                                spmv_member_callback *each, void *user, spmv_error *err)
{
    spmv_status st;
    spmv__archive *archive = NULL;
    const char *name;
    SPMV__TRY(spmv__archive_open(&archive, packed, src->data, src->size, err));
    for (;;) {
        SPMV__TRY(spmv__archive_next(archive, &name, err));
        if (name == NULL) break;
        each(user, name, spmv__archive_claim(archive));
    }
done:
    spmv__archive_close(archive);
    return st;
}

spmv_status spmv__source_members(const spmv__source *src, const spmv__recogniser *known,
                                 spmv_member_callback *each, void *user, spmv_error *err)
{
    spmv__stream *packed = NULL;
    unsigned char beginning[BEGINNING];
    const unsigned char *begin = src->data;
    int64_t size = src->size;
    spmv_status st;
    SPMV__TRY(open_decoder(&packed, src, err));
    if (packed != NULL) {
        begin = beginning;
        SPMV__TRY(named(src, packed->read(packed, beginning, BEGINNING, &size, err), err));
        SPMV__TRY(named(src, packed->rewind(packed, err), err));
    }
    const struct archive_kind *kind = find_archive(known, begin, size);
    if (kind == NULL || (packed != NULL && !kind->packed))
        st = spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                               "the file is not an archive");
    else if (!SPMV_HAVE_ARCHIVE)
        st = unknown(src, "a", kind->name, kind->command, err);
    else
        st = named(src, tell_members(src, packed, each, user, err), err);
done:
    if (packed != NULL) packed->close(packed);
    return st;
}

spmv_status spmv__source_whole(spmv__source *src, const spmv_read_options *options, spmv_error *err)
{
    if (src->feed == NULL || src->storage != NULL) return SPMV_SUCCESS;
    const spmv__block *first = spmv__feed_first(src->feed);
    const spmv_status st = spmv__stream_load(spmv__feed_stream(src->feed), first->data, first->size,
                                             options, &src->data, &src->size, &src->storage, err);
    return named(src, st, err);
}

spmv_status spmv__source_read(spmv__source *src, const char *path, const spmv__recogniser *known,
                              const spmv_read_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__source_open(src, path, options, err));
    SPMV__TRY(spmv__source_unpack(src, known, options, err));
    SPMV__TRY(spmv__source_whole(src, options, err));
done:
    return st;
}

spmv_status spmv__source_remark(const spmv__source *src, const spmv_read_options *options,
                                spmv_error *err)
{
    if (src->mapped != NULL && spmv_changed_file(src->mapped) != NULL)
        return spmv__source_fail(src, err, SPMV_ERROR_FILE_IO, 0, 0,
                                 "cannot read: the file was changed while it was used");
    const char *remark = src->feed != NULL ? spmv__feed_stream(src->feed)->remark : "";
    return *remark == '\0' ? SPMV_SUCCESS : spmv__warn(src, options, 0, 0, err, "%s", remark);
}
