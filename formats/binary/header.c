/* header.c -- is this file one of ours, whole, and of a version that we can read?
 *
 * The order of the checks decides what a damaged file is told: first what explains most. */
#include "formats/binary/binary.h"

#include <inttypes.h>
#include <string.h>

/* What text-mode transfers and editors make of the magic.  The last row is what all other damage
 * leaves. */
static const struct {
    const char *bytes;
    const char *cause;
} damages[] = {
    {"\x89SPM\n\x1a\n", "CR LF became LF"},       {"\x89SPM\r\r\n\x1a", "LF became CR LF"},
    {"\x89SPM\r\n\x1a\r\n", "LF became CR LF"},   {"\tSPM", "the eighth bit of each byte was lost"},
    {"\xc2\x89SPM", "it was converted to UTF-8"}, {"\xef\xbf\xbdSPM", "it was converted to UTF-8"},
    {"\x89SPM", "its first bytes were changed"},
};
enum { DAMAGES = sizeof damages / sizeof damages[0] };

static bool begins_with(const unsigned char *data, int64_t size, const char *bytes)
{
    size_t length = strlen(bytes);
    return size >= (int64_t)length && memcmp(data, bytes, length) == 0;
}

/* The row of the table above that fits, or DAMAGES. */
static int find_damage(const unsigned char *data, int64_t size)
{
    int i = 0;
    while (i < DAMAGES && !begins_with(data, size, damages[i].bytes)) i++;
    return i;
}

bool spmv__binary_recognise(const unsigned char *data, int64_t size)
{
    return find_damage(data, size) < DAMAGES;
}

static spmv_status check_magic(const spmv__source *src, spmv_error *err)
{
    int damage;

    if (begins_with(src->data, src->size, SPMV__BINARY_MAGIC)) return SPMV_SUCCESS;
    if (src->size < (int64_t)strlen(SPMV__BINARY_MAGIC))
        return SPMV__BINARY_INVALID(
            src, err, "the file of %" PRId64 " bytes is truncated or not a binary matrix",
            src->size);
    damage = find_damage(src->data, src->size);
    if (damage < DAMAGES)
        return SPMV__BINARY_INVALID(
            src, err,
            "the binary file was damaged on its way (%s): copy it again, not "
            "as text",
            damages[damage].cause);
    return SPMV__BINARY_INVALID(
        src, err,
        "not a binary matrix: its first bytes are %02x %02x %02x %02x, expected "
        "89 53 50 4d",
        src->data[0], src->data[1], src->data[2], src->data[3]);
}

static spmv_status check_version(const spmv__source *src, const spmv__binary_header *h,
                                 spmv_error *err)
{
    if (h->endian == __builtin_bswap32(SPMV__BINARY_ENDIAN))
        return SPMV__BINARY_UNSUPPORTED(
            src, err, "the file is big-endian; only little-endian files are read");
    if (h->endian != SPMV__BINARY_ENDIAN)
        return SPMV__BINARY_INVALID(src, err, "endian tag is 0x%08" PRIx32 ", expected 0x%08x",
                                    h->endian, (unsigned)SPMV__BINARY_ENDIAN);
    if (h->major > SPMV__BINARY_MAJOR)
        return SPMV__BINARY_UNSUPPORTED(
            src, err,
            "the file has version %u.%u of the binary format, this program "
            "reads %d.x",
            h->major, h->minor, SPMV__BINARY_MAJOR);
    if (h->major != SPMV__BINARY_MAJOR)
        return SPMV__BINARY_INVALID(src, err, "version is %u.%u, the first one was 1.0", h->major,
                                    h->minor);
    return SPMV_SUCCESS;
}

static spmv_status check_size(const spmv__source *src, const spmv__binary_header *h,
                              spmv_error *err)
{
    if ((uint64_t)src->size < h->file_size)
        return SPMV__BINARY_INVALID(src, err,
                                    "the file is truncated: file_size is %" PRIu64 ", but only "
                                    "%" PRId64 " bytes are there",
                                    h->file_size, src->size);
    if ((uint64_t)src->size > h->file_size)
        return SPMV__BINARY_INVALID(src, err,
                                    "file_size is %" PRIu64 ", but the file has %" PRId64 " bytes",
                                    h->file_size, src->size);
    return SPMV_SUCCESS;
}

/* The table is inside the file, and it and the header are as they were written. */
static spmv_status check_seal(const spmv__source *src, const spmv__binary_header *h,
                              spmv_error *err)
{
    int64_t size = (int64_t)(sizeof *h + sizeof(spmv__binary_section) * (size_t)h->section_count);
    spmv__binary_seal seal, expected = {0};

    if (h->section_count > SPMV__BINARY_SECTIONS)
        return SPMV__BINARY_INVALID(src, err,
                                    "section_count is %" PRIu32 ", at most %d are possible",
                                    h->section_count, SPMV__BINARY_SECTIONS);
    if (src->size < size + (int64_t)sizeof seal)
        return SPMV__BINARY_INVALID(src, err,
                                    "the table of %" PRIu32 " sections ends outside the file of "
                                    "%" PRId64 " bytes",
                                    h->section_count, src->size);
    memcpy(&seal, src->data + size, sizeof seal);
    expected.checksum = spmv__binary_checksum(src->data, size);
    if (seal.checksum != expected.checksum)
        return SPMV__BINARY_INVALID(
            src, err, "the header is damaged: its checksum is %016" PRIx64 ", expected %016" PRIx64,
            expected.checksum, seal.checksum);
    if (memcmp(&seal, &expected, sizeof seal) != 0)
        return SPMV__BINARY_INVALID(src, err,
                                    "the bytes between header and sections are not all zero");
    return SPMV_SUCCESS;
}

static spmv_status check_features(const spmv__source *src, const spmv__binary_header *h,
                                  spmv_error *err)
{
    if (h->required != 0)
        return SPMV__BINARY_UNSUPPORTED(
            src, err, "required features 0x%" PRIx64 " are not known to this version", h->required);
    if (h->reserved != 0)
        return SPMV__BINARY_INVALID(src, err, "reserved is 0x%" PRIx64 ", expected 0", h->reserved);
    return SPMV_SUCCESS;
}

spmv_status spmv__binary_check_header(const spmv__source *src, spmv_error *err)
{
    const spmv__binary_header *h = spmv__binary_header_of(src);
    spmv_status st;

    SPMV__TRY(check_magic(src, err));
    if (src->size < (int64_t)sizeof *h) {
        st = SPMV__BINARY_INVALID(
            src, err, "the file is truncated: %" PRId64 " bytes, the header alone has %zu",
            src->size, sizeof *h);
        goto done;
    }
    SPMV__TRY(check_version(src, h, err));
    SPMV__TRY(check_size(src, h, err));
    SPMV__TRY(check_seal(src, h, err));
    SPMV__TRY(check_features(src, h, err));
done:
    return st;
}
