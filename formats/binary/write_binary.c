/* write_binary.c -- a matrix to a binary file.
 *
 * What is written follows from the format's record: its arrays become the sections.  Sizes and
 * checksums are known before the first byte leaves, so the file can go to a pipe. */
#include "formats/common/file_format.h"
#include "formats/binary/binary.h"

#include <string.h>

/* The bytes before the sections, as they lie in the file. */
struct front {
    spmv__binary_header header;
    spmv__binary_section table[SPMV__BINARY_SECTIONS];
};

static_assert(sizeof(struct front) == sizeof(spmv__binary_header) +
                                          SPMV__BINARY_SECTIONS * sizeof(spmv__binary_section),
              "the table follows the header");

static int64_t front_size(const spmv__binary_header *h)
{
    return (int64_t)(sizeof *h + h->section_count * sizeof(spmv__binary_section));
}

/* Describe the arrays of A: all of a row but its offset, which depends on the number of rows. */
static spmv_status fill_table(struct front *front, const void **data, const spmv_matrix *A,
                              spmv_error *err)
{
    const spmv__format *format = spmv__format_of(A->format);

    for (int a = 0; a < format->array_count; a++) {
        const spmv__array *array = &format->arrays[a];
        const int64_t bytes = spmv__array_bytes(A, array);
        const uint32_t i = front->header.section_count;
        spmv__binary_section *s = &front->table[i];

        if (spmv__element_size(array->element, A->head.type) == 0) continue;
        data[i] = spmv__array_data(A, array);
        if (bytes < 0 || (data[i] == NULL && bytes > 0))
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "the %s matrix to write has no valid array %s", format->name,
                              array->name);
        s->name = spmv__binary_name_of(array->name);
        s->element = spmv__binary_name_of(spmv__element_name(array->element, A->head.type));
        s->size = (uint64_t)bytes;
        s->checksum = spmv__binary_checksum(data[i], bytes);
        front->header.section_count++;
    }
    return SPMV_SUCCESS;
}

/* Behind the arrays stand the labels, as far as the rows do not just count from 0 or 1. */
static void add_labels(struct front *front, const void **data, const spmv_labels *labels)
{
    const uint32_t i = front->header.section_count;
    if (labels->id == NULL) {
        if (labels->first == 0) front->header.optional |= SPMV__BINARY_FROM_0;
        return;
    }
    data[i] = labels->id;
    front->table[i] = (spmv__binary_section){
        .name = spmv__binary_name_of(SPMV__BINARY_LABELS),
        .element = spmv__binary_name_of(spmv__element_name(SPMV__I64, SPMV_PATTERN)),
        .size = (uint64_t)labels->n * sizeof *labels->id,
        .checksum = spmv__binary_checksum(labels->id, labels->n * (int64_t)sizeof *labels->id),
        .flags = SPMV__BINARY_OPTIONAL,
    };
    front->header.section_count++;
}

static void place_sections(struct front *front)
{
    uint64_t end = (uint64_t)front_size(&front->header) + sizeof(spmv__binary_seal);

    for (uint32_t i = 0; i < front->header.section_count; i++) {
        front->table[i].offset = spmv__binary_align(end);
        end = front->table[i].offset + front->table[i].size;
    }
    front->header.file_size = end;
}

static void fill_header(spmv__binary_header *h, const spmv_matrix *A)
{
    const spmv__format *format = spmv__format_of(A->format);

    memcpy(h->magic, SPMV__BINARY_MAGIC, sizeof h->magic);
    h->endian = SPMV__BINARY_ENDIAN;
    h->major = SPMV__BINARY_MAJOR;
    h->minor = SPMV__BINARY_MINOR;
    h->format = spmv__binary_name_of(format->name);
    h->type = spmv__binary_name_of(spmv_type_name(A->head.type));
    h->symmetry = spmv__binary_name_of(spmv__symmetry_names[A->head.symmetry]);
    h->rows = (uint64_t)A->head.rows;
    h->cols = (uint64_t)A->head.cols;
    h->nnz = (uint64_t)A->head.nnz;
    h->param_count = (uint32_t)format->param_count;
    for (int i = 0; i < format->param_count; i++) h->params[i] = (uint64_t)spmv__param(A, i);
}

/* The front, the seal, and the sections with zeros before each. */
static void write_all(spmv__sink *sink, const struct front *front, const void *const *data)
{
    static const unsigned char zeros[SPMV__BINARY_ALIGN];
    const int64_t size = front_size(&front->header);
    const spmv__binary_seal seal = {.checksum = spmv__binary_checksum(front, size)};
    uint64_t end = (uint64_t)size + sizeof seal;

    spmv__sink_write(sink, front, (size_t)size);
    spmv__sink_write(sink, &seal, sizeof seal);
    for (uint32_t i = 0; i < front->header.section_count; i++) {
        const spmv__binary_section *s = &front->table[i];
        spmv__sink_write(sink, zeros, s->offset - end);
        spmv__sink_write(sink, data[i], s->size);
        end = s->offset + s->size;
    }
}

spmv_status spmv_write_binary(const spmv_matrix *A, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    struct front front = {0};
    const void *data[SPMV__BINARY_SECTIONS];
    spmv__sink *sink = NULL;
    spmv_status st;

    SPMV__REQUIRE(A != NULL && path != NULL, err);
    SPMV__TRY(spmv__check_head(A, err));
    const spmv_labels labels = spmv__labels_to_write(A, options);
    fill_header(&front.header, A);
    if (front.header.rows > SPMV__BINARY_SIZE_LIMIT || front.header.cols > SPMV__BINARY_SIZE_LIMIT)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a matrix of %lld x %lld is beyond what binary files hold, 2^62",
                          (long long)A->head.rows, (long long)A->head.cols);
    SPMV__TRY(fill_table(&front, data, A, err));
    add_labels(&front, data, &labels);
    place_sections(&front);
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    spmv__sink_expect(sink, (int64_t)front.header.file_size);
    write_all(sink, &front, data);
    st = spmv__sink_commit(&sink, err);
done:
    return st;
}
