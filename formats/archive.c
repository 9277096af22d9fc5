/* archive.c -- tar and zip archives, file after file, through libarchive.
 *
 * Nothing is ever extracted: names are only looked at, links and devices are passed over, and the
 * bytes go to whoever asks for them.  libarchive knows the many kinds of tar, which differ in how
 * they hold long names and large sizes.  Compression around a tar is not left to it, because it
 * unpacks gzip with zlib, at a quarter of the speed of ISA-L, and ignores its checksums. */
#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

enum { BUFFER_SIZE = 1 << 18 };

struct spmv__archive {
    struct archive *handle;
    spmv__stream *packed;
    unsigned char *buffer; /* [BUFFER_SIZE], what came from `packed` */
    spmv_status status;    /* of `packed` */
    spmv_error error;
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
    if (archive_errno(archive->handle) == ENOMEM)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to read the archive");
    const char *why = archive_error_string(archive->handle);
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the archive cannot be read behind byte %lld: %.150s",
                      (long long)archive_read_header_position(archive->handle),
                      why != NULL ? why : "it is damaged");
}

static la_ssize_t supply(struct archive *handle, void *user, const void **out)
{
    spmv__archive *archive = user;
    int64_t got = 0;
    *out = archive->buffer;
    archive->status =
        archive->packed->read(archive->packed, archive->buffer, BUFFER_SIZE, &got, &archive->error);
    if (archive->status == SPMV_SUCCESS) return (la_ssize_t)got;
    archive_set_error(handle, EIO, "the packed data cannot be read");
    return ARCHIVE_FATAL;
}

spmv_status spmv__archive_open(spmv__archive **out, spmv__stream *packed, const unsigned char *data,
                               int64_t size, spmv_error *err)
{
    int result;
    spmv_status st;
    spmv__archive *archive = NULL;

    SPMV__TRY(spmv__alloc(&archive, 1, sizeof *archive, "an archive", err));
    archive->packed = packed;
    archive->handle = archive_read_new();
    if (archive->handle == NULL) {
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to read an archive");
        goto done;
    }
    archive_read_support_format_tar(archive->handle);
    if (packed == NULL) {
        archive_read_support_format_zip(archive->handle);
        result = archive_read_open_memory(archive->handle, data, (size_t)size);
    } else {
        SPMV__TRY(spmv__alloc(&archive->buffer, BUFFER_SIZE, 1, "an archive", err));
        result = archive_read_open(archive->handle, archive, NULL, supply, NULL);
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
    archive_read_free(archive->handle);
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
        const int result = archive_read_next_header(archive->handle, &entry);
        if (result == ARCHIVE_EOF) return SPMV_SUCCESS;
        /* Warnings are about names and owners. */
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return fail(archive, err);
    } while (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != NULL);
    *name = archive_entry_pathname_utf8(entry);
    if (*name == NULL) *name = archive_entry_pathname(entry);
    if (*name == NULL) *name = "";
    return SPMV_SUCCESS;
}

/* The next block of the file; *over at its end. */
static spmv_status next_block(spmv__archive *archive, bool *over, spmv_error *err)
{
    const void *block;
    la_int64_t offset;
    const int result = archive_read_data_block(archive->handle, &block, &archive->left, &offset);
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
