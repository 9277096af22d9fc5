/* section_table.c -- do the sections of a binary file lie where they must?
 *
 * They follow each other with nothing but zeros between: no overlap, no hole, nothing after the
 * last.  Offsets and sizes are any 64-bit numbers, so they are compared by subtraction only. */
#include "formats/binary/binary.h"

#include <inttypes.h>

static bool all_zero(const unsigned char *begin, const unsigned char *end)
{
    while (begin < end && *begin == 0) begin++;
    return begin == end;
}

/* Check section i, given where what precedes it ends. */
static spmv_status check_section(const spmv__source *src, uint32_t i, uint64_t end, spmv_error *err)
{
    const spmv__binary_section *s = &spmv__binary_table_of(src)[i];
    spmv__binary_name name = spmv__binary_printable(&s->name);
    const uint64_t file_size = (uint64_t)src->size;

    if (s->offset > file_size)
        return SPMV__BINARY_INVALID(src, err,
                                    "section %" PRIu32 " (%s): offset %" PRIu64
                                    " is outside the file of %" PRIu64 " bytes",
                                    i, name.text, s->offset, file_size);
    if (s->size > file_size - s->offset)
        return SPMV__BINARY_INVALID(src, err,
                                    "section %" PRIu32 " (%s): size %" PRIu64 " at offset %" PRIu64
                                    " reaches outside the file of %" PRIu64 " bytes",
                                    i, name.text, s->size, s->offset, file_size);
    if (s->offset % SPMV__BINARY_ALIGN != 0)
        return SPMV__BINARY_INVALID(
            src, err, "section %" PRIu32 " (%s): offset %" PRIu64 " is not a multiple of %d", i,
            name.text, s->offset, SPMV__BINARY_ALIGN);
    if (s->offset != spmv__binary_align(end))
        return SPMV__BINARY_INVALID(src, err,
                                    "section %" PRIu32 " (%s): offset %" PRIu64 " %s, expected "
                                    "%" PRIu64,
                                    i, name.text, s->offset,
                                    s->offset < end ? "overlaps what precedes it" : "leaves a hole",
                                    spmv__binary_align(end));
    if (!all_zero(src->data + end, src->data + s->offset))
        return SPMV__BINARY_INVALID(
            src, err, "section %" PRIu32 " (%s): the bytes before it are not all zero", i,
            name.text);
    return SPMV_SUCCESS;
}

spmv_status spmv__binary_check_table(const spmv__source *src, spmv_error *err)
{
    const spmv__binary_section *table = spmv__binary_table_of(src);
    const uint32_t count = spmv__binary_header_of(src)->section_count;
    uint64_t end =
        (uint64_t)((const unsigned char *)&table[count] - src->data) + sizeof(spmv__binary_seal);
    spmv_status st = SPMV_SUCCESS;

    for (uint32_t i = 0; i < count; i++) {
        SPMV__TRY(check_section(src, i, end, err));
        end = table[i].offset + table[i].size;
    }
    if (end != (uint64_t)src->size)
        st = SPMV__BINARY_INVALID(
            src, err, "the last section ends at %" PRIu64 ", but the file has %" PRId64 " bytes",
            end, src->size);
done:
    return st;
}
