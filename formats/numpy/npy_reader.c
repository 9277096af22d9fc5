/* npy_reader.c -- a NumPy array from its first byte to its last, wherever the bytes come from. */
#include "core/matrix/value.h"
#include "formats/numpy/npy.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 1024 }; /* elements that are converted at a time */

spmv_status spmv__npy_fail(const spmv__npy_reader *reader, spmv_error *err, spmv_status status,
                           const char *format, ...)
{
    char text[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return spmv__source_fail(reader->src, err, status, 0, 0, "%s %s", reader->name, text);
}

/* ---- The header ----------------------------------------------------------------------------- */

static spmv_status take(spmv__npy_reader *reader, void *out, int64_t size, spmv_error *err)
{
    if (size > reader->left)
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                              "ends before its header does");
    reader->left -= size;
    return reader->take(reader, out, size, err);
}

/* The bytes of the dictionary, which follow the magic, the version and their own number. */
static spmv_status take_header_size(spmv__npy_reader *reader, int64_t *size, spmv_error *err)
{
    unsigned char b[8], length[4] = {0};
    spmv_status st;
    SPMV__TRY(take(reader, b, sizeof b, err));
    if (memcmp(b, SPMV__NPY_MAGIC, 6) != 0)
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT, "is not a NumPy array");
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return spmv__npy_fail(reader, err, SPMV_ERROR_UNSUPPORTED,
                              "has version %d.%d of NumPy's format; 1.0, 2.0 and 3.0 are known",
                              b[6], b[7]);
    SPMV__TRY(take(reader, length, b[6] == 1 ? 2 : 4, err));
    *size = length[0] | length[1] << 8 | length[2] << 16 | (int64_t)length[3] << 24;
    if (*size > SPMV__NPY_HEADER)
        return spmv__npy_fail(reader, err, SPMV_ERROR_UNSUPPORTED,
                              "has a header of %" PRId64 " bytes; at most %d are read", *size,
                              SPMV__NPY_HEADER);
done:
    return st;
}

spmv_status spmv__npy_begin(spmv__npy_reader *reader, spmv_error *err)
{
    char *text = NULL, message[128];
    int64_t size = 0;
    spmv_status st;

    SPMV__TRY(take_header_size(reader, &size, err));
    SPMV__TRY(spmv__alloc(&text, size, 1, "the header of an array", err));
    SPMV__TRY(take(reader, text, size, err));
    st = spmv__npy_parse(&reader->head, text, size, message);
    if (st != SPMV_SUCCESS)
        st = spmv__npy_fail(reader, err, st, "%s", message);
    else if (reader->left != reader->head.count * reader->head.size)
        st = spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT,
                            "has %" PRId64 " bytes of elements; its header asks for %" PRId64,
                            reader->left, reader->head.count * reader->head.size);
done:
    free(text);
    return st;
}

/* ---- The elements --------------------------------------------------------------------------- */

/* All of them, as they are but for the byte order. */
static spmv_status take_raw(spmv__npy_reader *reader, void *out, spmv_error *err)
{
    const spmv_status st = take(reader, out, reader->left, err);
    if (st == SPMV_SUCCESS) spmv__npy_to_native(&reader->head, out, reader->head.count);
    return st;
}

/* The next elements, at most CHUNK, in the byte order of this machine; *n is 0 after the last. */
static spmv_status take_chunk(spmv__npy_reader *reader, void *out, int64_t *n, spmv_error *err)
{
    const int64_t left = reader->left / reader->head.size;
    *n = left < CHUNK ? left : CHUNK;
    const spmv_status st = take(reader, out, *n * reader->head.size, err);
    if (st == SPMV_SUCCESS) spmv__npy_to_native(&reader->head, out, *n);
    return st;
}

static spmv_status no_index(const spmv__npy_reader *reader, int64_t p, spmv_error *err)
{
    return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_DIMENSION,
                          "has an element (number %" PRId64 ") beyond the range of an index",
                          p + 1);
}

/* Each chunk is widened to 64 bits before it is stored, in narrow[] or wide[]. */
static spmv_status take_indices(spmv__npy_reader *reader, int64_t *wide, int32_t *narrow,
                                spmv_error *err)
{
    spmv__npy_to_i64 *convert = spmv__npy_integers(&reader->head);
    uint64_t raw[CHUNK];
    int64_t buffer[CHUNK], n;
    spmv_status st;

    if (convert == NULL || reader->head.kind == 'b')
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_FORMAT, "does not hold integers");
    for (int64_t first = 0; first < reader->head.count; first += n) {
        SPMV__TRY(take_chunk(reader, raw, &n, err));
        int64_t *to = wide != NULL ? wide + first : buffer;
        const int64_t good = convert(raw, n, to);
        if (good < n) return no_index(reader, first + good, err);
        for (int64_t k = 0; narrow != NULL && k < n; k++) {
            if (to[k] < INT32_MIN || to[k] > INT32_MAX) return no_index(reader, first + k, err);
            narrow[first + k] = (int32_t)to[k];
        }
    }
    st = SPMV_SUCCESS;
done:
    return st;
}

spmv_status spmv__npy_take_i64(spmv__npy_reader *reader, int64_t *out, spmv_error *err)
{
    const bool same = reader->head.kind == 'i' && reader->head.size == sizeof *out;
    return same ? take_raw(reader, out, err) : take_indices(reader, out, NULL, err);
}

spmv_status spmv__npy_take_i32(spmv__npy_reader *reader, int32_t *out, spmv_error *err)
{
    const bool same = reader->head.kind == 'i' && reader->head.size == sizeof *out;
    return same ? take_raw(reader, out, err) : take_indices(reader, NULL, out, err);
}

/* The reals that the elements consist of: one each, or two where they are complex. */
static spmv__npy parts_of(const spmv__npy *head, int64_t *count)
{
    spmv__npy parts = *head;
    *count = 1;
    if (head->kind != 'c') return parts;
    *count = 2;
    parts.kind = 'f';
    parts.size /= 2;
    return parts;
}

spmv_status spmv__npy_value_type(const spmv__npy_reader *reader, spmv_type *out, spmv_error *err)
{
    int64_t count;
    const spmv__npy parts = parts_of(&reader->head, &count);
    const bool single = parts.kind == 'f' && parts.size == sizeof(float);
    if (spmv__npy_reals(&parts) == NULL)
        return spmv__npy_fail(reader, err, SPMV_ERROR_UNSUPPORTED, "holds text, not numbers");
    *out = count == 2 ? (single ? SPMV_C64 : SPMV_C128) : (single ? SPMV_F32 : SPMV_F64);
    return SPMV_SUCCESS;
}

spmv_status spmv__npy_take_values(spmv__npy_reader *reader, spmv_type type, void *out,
                                  spmv_error *err)
{
    const spmv__npy *head = &reader->head;
    int64_t count;
    const spmv__npy parts = parts_of(head, &count);
    const spmv_type part_type = spmv__is_single(type) ? SPMV_F32 : SPMV_F64;
    spmv__npy_to_f64 *convert = spmv__npy_reals(&parts);
    double raw[2 * CHUNK], buffer[2 * CHUNK];
    spmv_status st = SPMV_SUCCESS;
    int64_t n;

    /* No detour over f64, which would change some NaN of single precision. */
    if (parts.kind == 'f' && (size_t)head->size == spmv_type_size(type))
        return take_raw(reader, out, err);
    for (int64_t first = 0; first < head->count; first += n) {
        SPMV__TRY(take_chunk(reader, raw, &n, err));
        const int64_t good = convert(raw, n * count, buffer);
        if (good < n)
            return spmv__npy_fail(reader, err, SPMV_ERROR_UNSUPPORTED,
                                  "has a value (number %" PRId64 ") that %s", first + good + 1,
                                  head->kind == 'b' ? "is neither True nor False"
                                                    : "f64 cannot hold exactly");
        for (int64_t k = 0; k < n * count; k++)
            spmv__set_value(part_type, out, first * count + k, buffer[k]);
    }
done:
    return st;
}
