/* write_binary.c -- a matrix to a binary file.
 *
 * What is written follows from the format's record: its arrays become the sections.  Sizes and
 * checksums are known before the first byte leaves, so the file can go to a pipe. */
#include "formats/common/file_format.h"
#include "formats/binary/binary_front.h"

/* The checksums of all sections, whose bytes must be there. */
static spmv_status sum_sections(spmv__binary_front *front, const spmv_matrix *A, spmv_error *err)
{
    for (uint32_t i = 0; i < front->header.section_count; i++) {
        spmv__binary_section *s = &front->table[i];
        if (front->data[i] == NULL && s->size > 0)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "the %s matrix to write has no valid array %s",
                              spmv_format_name(A->format), s->name.text);
        s->checksum = spmv__binary_checksum(front->data[i], (int64_t)s->size);
    }
    return SPMV_SUCCESS;
}

/* The front, the seal, and the sections with zeros before each. */
static void write_all(spmv__sink *sink, const spmv__binary_front *front)
{
    static const unsigned char zeros[SPMV__BINARY_ALIGN];
    const int64_t size = spmv__binary_front_size(&front->header);
    const spmv__binary_seal seal = spmv__binary_seal_of(front);
    uint64_t end = (uint64_t)size + sizeof seal;

    spmv__sink_write(sink, front, (size_t)size);
    spmv__sink_write(sink, &seal, sizeof seal);
    for (uint32_t i = 0; i < front->header.section_count; i++) {
        const spmv__binary_section *s = &front->table[i];
        spmv__sink_write(sink, zeros, s->offset - end);
        spmv__sink_write(sink, front->data[i], s->size);
        end = s->offset + s->size;
    }
}

spmv_status spmv_write_binary(const spmv_matrix *A, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    spmv__binary_front front;
    spmv__sink *sink = NULL;
    spmv_status st;

    SPMV__REQUIRE(A != NULL && path != NULL, err);
    SPMV__TRY(spmv__check_head(A, err));
    const spmv_labels labels = spmv__labels_to_write(A, options);
    SPMV__TRY(spmv__binary_front_make(&front, A, &labels, err));
    SPMV__TRY(sum_sections(&front, A, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    spmv__sink_expect(sink, (int64_t)front.header.file_size);
    write_all(sink, &front);
    st = spmv__sink_commit(&sink, err);
done:
    return st;
}
