/* binary_front.c -- what stands before the arrays in a binary file: header, table and seal.
 *
 * It follows from the format's record: its arrays become the sections. */
#include "formats/binary/binary_front.h"

#include <string.h>

/* Describe the arrays of A: all of a row but its offset, which depends on the number of rows, and
 * its checksum. */
static spmv_status fill_table(spmv__binary_front *front, const spmv_matrix *A, spmv_error *err)
{
    const spmv__format *format = spmv__format_of(A->format);

    for (int a = 0; a < format->array_count; a++) {
        const spmv__array *array = &format->arrays[a];
        const int64_t bytes = spmv__array_bytes(A, array);
        const uint32_t i = front->header.section_count;
        spmv__binary_section *s = &front->table[i];

        if (spmv__element_size(array->element, A->head.type) == 0) continue;
        if (bytes < 0)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "the %s matrix to write has no valid array %s", format->name,
                              array->name);
        front->data[i] = spmv__array_data(A, array);
        s->name = spmv__binary_name_of(array->name);
        s->element = spmv__binary_name_of(spmv__element_name(array->element, A->head.type));
        s->size = (uint64_t)bytes;
        front->header.section_count++;
    }
    return SPMV_SUCCESS;
}

/* Behind the arrays stand the labels, as far as the rows do not just count from 0 or 1. */
static void add_labels(spmv__binary_front *front, const spmv_labels *labels)
{
    const uint32_t i = front->header.section_count;
    const bool words = labels->name_ptr != NULL;
    if (!words && labels->id == NULL) {
        if (labels->first == 0) front->header.optional |= SPMV__BINARY_FROM_0;
        return;
    }
    front->data[i] = words ? (const void *)labels->names : labels->id;
    front->table[i] = (spmv__binary_section){
        .name = spmv__binary_name_of(SPMV__BINARY_LABELS),
        .element = spmv__binary_name_of(words ? SPMV__BINARY_WORDS
                                              : spmv__element_name(SPMV__I64, SPMV_PATTERN)),
        .size = (uint64_t)(words ? labels->name_ptr[labels->n]
                                 : labels->n * (int64_t)sizeof *labels->id),
        .flags = SPMV__BINARY_OPTIONAL,
    };
    front->header.section_count++;
}

static void place_sections(spmv__binary_front *front)
{
    uint64_t end = (uint64_t)spmv__binary_front_size(&front->header) + sizeof(spmv__binary_seal);

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

int64_t spmv__binary_front_size(const spmv__binary_header *h)
{
    return (int64_t)(sizeof *h + h->section_count * sizeof(spmv__binary_section));
}

spmv_status spmv__binary_front_make(spmv__binary_front *front, const spmv_matrix *A,
                                    const spmv_labels *labels, spmv_error *err)
{
    memset(front, 0, sizeof *front);
    fill_header(&front->header, A);
    if (front->header.rows > SPMV__BINARY_SIZE_LIMIT ||
        front->header.cols > SPMV__BINARY_SIZE_LIMIT)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a matrix of %lld x %lld is beyond what binary files hold, 2^62",
                          (long long)A->head.rows, (long long)A->head.cols);
    if (labels->order != NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "binary files hold labels in ascending order; these are in another");
    const spmv_status st = fill_table(front, A, err);
    if (st != SPMV_SUCCESS) return st;
    add_labels(front, labels);
    place_sections(front);
    return st;
}

spmv__binary_seal spmv__binary_seal_of(const spmv__binary_front *front)
{
    const int64_t size = spmv__binary_front_size(&front->header);
    return (spmv__binary_seal){.checksum = spmv__binary_checksum(front, size)};
}
