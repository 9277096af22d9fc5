/* map_sections.c -- the matrix that header and table of a binary file describe, in the file's
 * memory.
 *
 * Which arrays there are, of what elements and how many, follows from the format's record, the
 * head and the parameters; each section has to agree before an array of the matrix points to it. */
#include "formats/binary/binary.h"

#include <inttypes.h>
#include <string.h>

/* out = value, a field of the header. */
static spmv_status read_size(int64_t *out, uint64_t value, const char *field,
                             const spmv__source *src, spmv_error *err)
{
    if (value > SPMV__BINARY_SIZE_LIMIT)
        return SPMV__BINARY_INVALID(src, err, "%s is %" PRIu64 ", beyond all sizes", field, value);
    *out = (int64_t)value;
    return SPMV_SUCCESS;
}

/* The index of `name` among count names, found by text_of; fails naming `field`. */
static spmv_status find_name(int *out, const spmv__binary_name *name,
                             const char *(*text_of)(int index), int count, const char *field,
                             const spmv__source *src, spmv_error *err)
{
    for (*out = 0; *out < count; ++*out)
        if (spmv__binary_name_is(name, text_of(*out))) return SPMV_SUCCESS;
    return SPMV__BINARY_UNSUPPORTED(src, err, "%s '%s' is not known to this version", field,
                                    spmv__binary_printable(name).text);
}

static const char *format_text(int i)
{
    return spmv__format_of((spmv_format)i)->name;
}

static const char *type_text(int i)
{
    return spmv_type_name((spmv_type)i);
}

static const char *symmetry_text(int i)
{
    return spmv__symmetry_names[i];
}

/* Format, head and parameters. */
static spmv_status read_head(spmv_matrix *A, const spmv__source *src, spmv_error *err)
{
    const spmv__binary_header *h = spmv__binary_header_of(src);
    const spmv__format *format;
    int format_id, type, symmetry;
    spmv_error reason;
    spmv_status st;

    SPMV__TRY(find_name(&format_id, &h->format, format_text, SPMV_FORMATS, "format", src, err));
    SPMV__TRY(find_name(&type, &h->type, type_text, SPMV_TYPES, "value type", src, err));
    SPMV__TRY(
        find_name(&symmetry, &h->symmetry, symmetry_text, SPMV_SYMMETRIES, "symmetry", src, err));
    A->format = (spmv_format)format_id;
    A->head.type = (spmv_type)type;
    A->head.symmetry = (spmv_symmetry)symmetry;
    SPMV__TRY(read_size(&A->head.rows, h->rows, "rows", src, err));
    SPMV__TRY(read_size(&A->head.cols, h->cols, "cols", src, err));
    SPMV__TRY(read_size(&A->head.nnz, h->nnz, "nnz", src, err));

    format = spmv__format_of(A->format);
    if (h->param_count != (uint32_t)format->param_count)
        return SPMV__BINARY_INVALID(src, err, "param_count is %" PRIu32 ", %s has %d",
                                    h->param_count, format->name, format->param_count);
    for (int i = 0; i < SPMV__BINARY_PARAMS; i++) {
        int64_t param = 0;
        SPMV__TRY(read_size(&param, h->params[i], "a parameter", src, err));
        if (i < format->param_count)
            memcpy((char *)A + format->params[i], &param, sizeof param);
        else if (param != 0)
            return SPMV__BINARY_INVALID(src, err, "parameter %d is %" PRId64 ", %s has only %d", i,
                                        param, format->name, format->param_count);
    }
    if (format->adopt != NULL) format->adopt(A);
    st = spmv__check_head(A, &reason);
    if (st != SPMV_SUCCESS) st = spmv__source_fail(src, err, st, 0, 0, "%s", reason.message);
done:
    return st;
}

/* Point an array of A to section i, once that has the elements and the size that A implies. */
static spmv_status use_section(spmv_matrix *A, const spmv__array *array, uint32_t i,
                               const spmv__source *src, spmv_error *err)
{
    const spmv__binary_section *s = &spmv__binary_table_of(src)[i];
    const char *element = spmv__element_name(array->element, A->head.type);
    const int64_t bytes = spmv__array_bytes(A, array);

    if (!spmv__binary_name_is(&s->element, element))
        return SPMV__BINARY_INVALID(
            src, err, "section %" PRIu32 " (%s): its elements are '%s', expected '%s'", i,
            array->name, spmv__binary_printable(&s->element).text, element);
    if (bytes < 0)
        return SPMV__BINARY_INVALID(src, err,
                                    "section %" PRIu32 " (%s): the sizes in the header ask for "
                                    "more than can be addressed",
                                    i, array->name);
    if (s->size != (uint64_t)bytes)
        return SPMV__BINARY_INVALID(src, err,
                                    "section %" PRIu32 " (%s): its size is %" PRIu64
                                    " bytes, the header asks for %" PRId64,
                                    i, array->name, s->size, bytes);
    /* Matrices have no const members; arrays in a storage are not written to. */
    *spmv__array_pointer(A, array) = (void *)(uintptr_t)(src->data + s->offset);
    return SPMV_SUCCESS;
}

/* The index of the next array, from a on, that is stored: a pattern has no values. */
static int next_array(const spmv_matrix *A, int a)
{
    const spmv__format *format = spmv__format_of(A->format);
    while (a < format->array_count &&
           spmv__element_size(format->arrays[a].element, A->head.type) == 0)
        a++;
    return a;
}

/* The sections, less those that may be skipped, are the arrays of the format in its order. */
static spmv_status use_sections(spmv_matrix *A, const spmv__source *src, spmv_error *err)
{
    const spmv__format *format = spmv__format_of(A->format);
    int a = next_array(A, 0);
    spmv_status st = SPMV_SUCCESS;

    for (uint32_t i = 0; i < spmv__binary_header_of(src)->section_count; i++) {
        const spmv__binary_section *s = &spmv__binary_table_of(src)[i];
        spmv__binary_name name = spmv__binary_printable(&s->name);

        if (s->flags == SPMV__BINARY_OPTIONAL) continue;
        if (s->flags != 0 || a == format->array_count)
            return SPMV__BINARY_UNSUPPORTED(src, err,
                                            "section %" PRIu32 " (%s) with flags 0x%" PRIx64
                                            " is needed, but not known to this version",
                                            i, name.text, s->flags);
        if (!spmv__binary_name_is(&s->name, format->arrays[a].name))
            return SPMV__BINARY_INVALID(src, err, "section %" PRIu32 " is '%s', expected '%s'", i,
                                        name.text, format->arrays[a].name);
        SPMV__TRY(use_section(A, &format->arrays[a], i, src, err));
        a = next_array(A, a + 1);
    }
    if (a < format->array_count)
        st = SPMV__BINARY_INVALID(src, err, "section %s is missing", format->arrays[a].name);
done:
    return st;
}

spmv_status spmv__binary_map(spmv_matrix *out, const spmv__source *src, spmv_error *err)
{
    spmv_matrix A = {0};
    spmv_status st;

    SPMV__TRY(read_head(&A, src, err));
    SPMV__TRY(use_sections(&A, src, err));
    *out = A;
done:
    return st;
}
