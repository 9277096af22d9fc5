/* archive.c -- tar and zip archives read, and zip archives written, through libarchive: with
 * archive_api.h the only file that knows it.
 *
 * Nothing is ever extracted: names are only looked at, links and devices are passed over, and the
 * bytes go to the caller.  libarchive knows the many kinds of tar, which differ in how
 * they hold long names and large sizes.  Compression around a tar is not left to it, because it
 * unpacks gzip with zlib, at a quarter of the speed of ISA-L, and ignores its checksums. */
#include "formats/codecs/archive.h"
#include "formats/codecs/archive_api.h"
#include "formats/codecs/zip.h"

#include <stdlib.h>

/* ---- Reading -------------------------------------------------------------------------------- */

enum { BUFFER_SIZE = 1 << 18 };

struct spmv__archive {
    struct archive *handle;
    spmv__stream *packed;
    unsigned char *buffer; /* [BUFFER_SIZE], what came from `packed` */
    spmv_status status;    /* of `packed` */
    spmv_error error;
    int64_t claimed;            /* bytes of the file, -1 when nothing is said */
    int64_t given;              /* bytes of the file so far */
    const unsigned char *block; /* [left], not yet given */
    size_t left;
};

static spmv_status fail(const spmv__archive *archive, spmv_error *err)
{
    if (archive->status != SPMV_SUCCESS) {
        if (err != NULL) *err = archive->error;
        return archive->status;
    }
    if (la.archive_errno(archive->handle) == ENOMEM)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to read the archive");
    const char *why = la.archive_error_string(archive->handle);
    const int64_t at = la.archive_read_header_position(archive->handle);
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the archive cannot be read past byte %lld: %.150s",
                      (long long)(at > 0 ? at : 0), why != NULL ? why : "it is damaged");
}

static la_ssize_t supply(struct archive *handle, void *user, const void **out)
{
    spmv__archive *archive = user;
    int64_t got = 0;
    *out = archive->buffer;
    archive->status =
        archive->packed->read(archive->packed, archive->buffer, BUFFER_SIZE, &got, &archive->error);
    if (archive->status == SPMV_SUCCESS) return (la_ssize_t)got;
    la.archive_set_error(handle, EIO, "the packed data cannot be read");
    return ARCHIVE_FATAL;
}

spmv_status spmv__archive_open(spmv__archive **out, spmv__stream *packed, const unsigned char *data,
                               int64_t size, spmv_error *err)
{
    int result;
    spmv_status st;
    spmv__archive *archive = NULL;

    SPMV__TRY(la_load(err));
    SPMV__TRY(spmv__alloc(&archive, 1, sizeof *archive, "an archive", err));
    archive->packed = packed;
    archive->handle = la.archive_read_new();
    if (archive->handle == NULL) {
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to read an archive");
        goto done;
    }
    la.archive_read_support_format_tar(archive->handle);
    if (packed == NULL) {
        /* Reading goes by the directory at the end, without which a zip archive has been cut off.
         */
        la.archive_read_support_format_zip_seekable(archive->handle);
        result = la.archive_read_open_memory(archive->handle, data, (size_t)size);
    } else {
        SPMV__TRY(spmv__alloc(&archive->buffer, BUFFER_SIZE, 1, "an archive", err));
        result = la.archive_read_open(archive->handle, archive, NULL, supply, NULL);
    }
    if (result != ARCHIVE_OK) {
        st = fail(archive, err);
        goto done;
    }
    *out = archive;
    archive = NULL;
done:
    spmv__archive_close(archive);
    return st;
}

void spmv__archive_close(spmv__archive *archive)
{
    if (archive == NULL) return;
    la.archive_read_free(archive->handle);
    free(archive->buffer);
    free(archive);
}

spmv_status spmv__archive_next(spmv__archive *archive, const char **name, spmv_error *err)
{
    struct archive_entry *entry;
    *name = NULL;
    archive->given = 0;
    archive->left = 0;
    do {
        const int result = la.archive_read_next_header(archive->handle, &entry);
        if (result == ARCHIVE_EOF) return SPMV_SUCCESS;
        /* Warnings are about names and owners. */
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return fail(archive, err);
    } while (la.archive_entry_filetype(entry) != AE_IFREG ||
             la.archive_entry_hardlink(entry) != NULL);
    *name = la.archive_entry_pathname_utf8(entry);
    if (*name == NULL) *name = la.archive_entry_pathname(entry);
    if (*name == NULL) *name = "";
    archive->claimed = la.archive_entry_size_is_set(entry) ? la.archive_entry_size(entry) : -1;
    return SPMV_SUCCESS;
}

int64_t spmv__archive_taken(const spmv__archive *archive)
{
    return la.archive_filter_bytes(archive->handle, -1);
}

int64_t spmv__archive_claim(const spmv__archive *archive)
{
    return archive->claimed;
}

/* The next block of the file; *over at its end. */
static spmv_status next_block(spmv__archive *archive, bool *over, spmv_error *err)
{
    const void *block;
    la_int64_t offset;
    const int result = la.archive_read_data_block(archive->handle, &block, &archive->left, &offset);
    archive->block = block;
    *over = result == ARCHIVE_EOF;
    if (*over) archive->left = 0;
    if (result != ARCHIVE_OK && result != ARCHIVE_EOF) return fail(archive, err);
    if (archive->left == 0 || offset == archive->given) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "the member is stored with holes: unpack the archive with `tar -xf`");
}

spmv_status spmv__archive_read(spmv__archive *archive, unsigned char *out, int64_t room,
                               int64_t *got, spmv_error *err)
{
    bool over = false;
    *got = 0;
    for (;;) {
        const int64_t left = (int64_t)archive->left, most = room - *got;
        const int64_t n = left < most ? left : most;
        if (n > 0) {
            memcpy(out + *got, archive->block, (size_t)n);
            archive->block += n;
            archive->left -= (size_t)n;
            archive->given += n;
            *got += n;
        }
        if (*got == room || over) return SPMV_SUCCESS;
        const spmv_status st = next_block(archive, &over, err);
        if (st != SPMV_SUCCESS) return st;
    }
}

/* ---- Writing -------------------------------------------------------------------------------- */

struct spmv__zip {
    spmv__sink *sink;
    struct archive *archive;
    struct archive_entry *entry;
};

/* Bytes that come when the archive is given up go nowhere. */
static la_ssize_t pass_on(struct archive *archive, void *user, const void *data, size_t size)
{
    const spmv__zip *zip = user;
    (void)archive;
    if (zip->sink != NULL) spmv__sink_write(zip->sink, data, size);
    return (la_ssize_t)size;
}

/* The sink takes everything, so that only memory can be lacking. */
static spmv_status written(const spmv__zip *zip, bool success, spmv_error *err)
{
    const char *why = zip->archive != NULL ? la.archive_error_string(zip->archive) : NULL;
    if (success) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot make the zip archive: %s",
                      why != NULL ? why : "there is not enough memory");
}

static bool open_output(spmv__zip *zip)
{
    zip->entry = la.archive_entry_new();
    zip->archive = la.archive_write_new();
    return zip->entry != NULL && zip->archive != NULL &&
           la.archive_write_set_format_zip(zip->archive) == ARCHIVE_OK &&
           la.archive_write_zip_set_compression_store(zip->archive) == ARCHIVE_OK &&
           la.archive_write_set_bytes_per_block(zip->archive, 0) == ARCHIVE_OK &&
           la.archive_write_open(zip->archive, zip, NULL, pass_on, NULL) == ARCHIVE_OK;
}

spmv_status spmv__zip_create(spmv__zip **out, spmv__sink *sink, spmv_error *err)
{
    spmv_status st;
    spmv__zip *zip = NULL;

    SPMV__TRY(la_load(err));
    SPMV__TRY(spmv__alloc(&zip, 1, sizeof *zip, "a zip archive", err));
    zip->sink = sink;
    SPMV__TRY(written(zip, open_output(zip), err));
    *out = zip;
    zip = NULL;
done:
    spmv__zip_close(zip);
    return st;
}

/* Without a time the archive gets the first one that it can express, in 1980. */
spmv_status spmv__zip_begin(spmv__zip *zip, const char *name, int64_t size, spmv_error *err)
{
    la.archive_entry_clear(zip->entry);
    la.archive_entry_set_pathname(zip->entry, name);
    la.archive_entry_set_filetype(zip->entry, AE_IFREG);
    la.archive_entry_set_perm(zip->entry, 0644);
    la.archive_entry_set_size(zip->entry, size);
    return written(zip, la.archive_write_header(zip->archive, zip->entry) == ARCHIVE_OK, err);
}

spmv_status spmv__zip_write(spmv__zip *zip, const void *data, int64_t size, spmv_error *err)
{
    const la_ssize_t n = la.archive_write_data(zip->archive, data, (size_t)size);
    return written(zip, n == size, err);
}

spmv_status spmv__zip_finish(spmv__zip *zip, spmv_error *err)
{
    return written(zip, la.archive_write_close(zip->archive) == ARCHIVE_OK, err);
}

void spmv__zip_close(spmv__zip *zip)
{
    if (zip == NULL) return;
    /* Freeing still writes the directory of an archive that was given up. */
    zip->sink = NULL;
    la.archive_write_free(zip->archive);
    la.archive_entry_free(zip->entry);
    free(zip);
}
