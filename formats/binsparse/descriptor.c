/* descriptor.c -- the JSON text that says what the arrays of a file mean. */
#include "formats/binsparse/binsparse.h"
#include "formats/binsparse/json.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT(table) (int)(sizeof table / sizeof table[0])

const spmv__binsparse_layout spmv__binsparse_layouts[SPMV__BINSPARSE_LAYOUTS] = {
    {.name = "CSR", .format = SPMV_CSR, .arrays = {"pointers_to_1", "indices_1", "values"}},
    {.name = "CSC", .format = SPMV_CSC, .arrays = {"pointers_to_1", "indices_1", "values"}},
    {.name = "COOR", .format = SPMV_COO, .arrays = {"indices_0", "indices_1", "values"}},
    {.name = "COO", .format = SPMV_COO, .arrays = {"indices_0", "indices_1", "values"}},
    {.name = "COOC",
     .format = SPMV_COO,
     .arrays = {"indices_1", "indices_0", "values"},
     .by_column = true},
    {.name = "DCSR",
     .format = SPMV_COO,
     .arrays = {"indices_0", "indices_1", "values"},
     .pointers = "pointers_to_1"},
    {.name = "DCSC",
     .format = SPMV_COO,
     .arrays = {"indices_1", "indices_0", "values"},
     .by_column = true,
     .pointers = "pointers_to_1",
     .grouped = 1},
};

/* ---- Reading -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    spmv_symmetry symmetry;
} structures[] = {
    {"symmetric_lower", SPMV_SYMMETRIC},
    {"hermitian_lower", SPMV_HERMITIAN},
    {"skew_symmetric_lower", SPMV_SKEW},
};

static const struct {
    const char *name;
    spmv__binsparse_type type;
} numbers[] = {
    {"uint8", {'u', 1, 0, 0}},   {"uint16", {'u', 2, 0, 0}},  {"uint32", {'u', 4, 0, 0}},
    {"uint64", {'u', 8, 0, 0}},  {"int8", {'i', 1, 0, 0}},    {"int16", {'i', 2, 0, 0}},
    {"int32", {'i', 4, 0, 0}},   {"int64", {'i', 8, 0, 0}},   {"bint8", {'b', 1, 0, 0}},
    {"float32", {'f', 4, 0, 0}}, {"float64", {'f', 8, 0, 0}},
};

static spmv_status invalid(const spmv__source *src, spmv_error *err, const char *name)
{
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                             "the binsparse descriptor has no valid '%s'", name);
}

static spmv_status unsupported(const spmv__source *src, spmv_error *err, const char *name,
                               const char *value)
{
    return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "the %s '%s' of binsparse is not supported", name, value);
}

static spmv_status parse_layout(spmv__binsparse *out, const char *d, const spmv__source *src,
                                spmv_error *err)
{
    char text[32];
    if (!spmv__json_text(spmv__json_member(d, "version"), text, sizeof text))
        return invalid(src, err, "version");
    if (strncmp(text, "0.1", 3) != 0 && strncmp(text, "1.", 2) != 0)
        return unsupported(src, err, "version", text);
    if (!spmv__json_text(spmv__json_member(d, "format"), text, sizeof text))
        return invalid(src, err, "format");
    for (int i = 0; i < SPMV__BINSPARSE_LAYOUTS; i++)
        if (strcmp(spmv__binsparse_layouts[i].name, text) == 0)
            out->layout = &spmv__binsparse_layouts[i];
    return out->layout != NULL ? SPMV_SUCCESS : unsupported(src, err, "format", text);
}

static spmv_status parse_structure(spmv__binsparse *out, const char *d, const spmv__source *src,
                                   spmv_error *err)
{
    char text[32];
    const char *value = spmv__json_member(d, "structure");
    if (value == NULL) return SPMV_SUCCESS;
    if (!spmv__json_text(value, text, sizeof text)) return invalid(src, err, "structure");
    for (int i = 0; i < COUNT(structures); i++)
        if (strcmp(structures[i].name, text) == 0) {
            out->symmetry = structures[i].symmetry;
            return SPMV_SUCCESS;
        }
    return unsupported(src, err, "structure", text);
}

static spmv_status parse_sizes(spmv__binsparse *out, const char *d, const spmv__source *src,
                               spmv_error *err)
{
    const char *p = spmv__json_member(d, "shape");
    p = p != NULL && *p == '[' ? spmv__json_integer(spmv__json_skip_blanks(p + 1), &out->rows)
                               : NULL;
    p = p != NULL && *p == ',' ? spmv__json_integer(spmv__json_skip_blanks(p + 1), &out->cols)
                               : NULL;
    if (p == NULL || *p != ']') return invalid(src, err, "shape");
    if (spmv__json_integer(spmv__json_member(d, "number_of_stored_values"), &out->nnz) == NULL)
        return invalid(src, err, "number_of_stored_values");
    return SPMV_SUCCESS;
}

/* Take "prefix[" and "]" off the text; false when they are not there. */
static bool unwrap(char *text, const char *prefix)
{
    const size_t length = strlen(text), n = strlen(prefix);
    if (length <= n || strncmp(text, prefix, n) != 0 || text[length - 1] != ']') return false;
    memmove(text, text + n, length - n - 1);
    text[length - n - 1] = '\0';
    return true;
}

static spmv_status parse_type(spmv__binsparse_type *out, const char *value, bool is_values,
                              const char *name, const spmv__source *src, spmv_error *err)
{
    char whole[40], number[40];
    if (!spmv__json_text(value, whole, sizeof whole)) return invalid(src, err, name);
    memcpy(number, whole, sizeof number);
    const bool iso = unwrap(number, "iso["), complex = unwrap(number, "complex[");
    for (int i = 0; i < COUNT(numbers); i++)
        if (strcmp(numbers[i].name, number) == 0) *out = numbers[i].type;
    out->iso = iso;
    out->complex = complex;
    const bool integer = out->kind == 'i' || out->kind == 'u';
    if (out->kind == 0 || (complex && out->kind != 'f') ||
        (!is_values && (iso || complex || !integer)))
        return unsupported(src, err, "type", whole);
    return SPMV_SUCCESS;
}

static spmv_status parse_types(spmv__binsparse *out, const char *d, const spmv__source *src,
                               spmv_error *err)
{
    const char *types = spmv__json_member(d, "data_types");
    spmv_status st = SPMV_SUCCESS;
    const char *pointers = out->layout->pointers;
    if (types == NULL) return invalid(src, err, "data_types");
    if (pointers != NULL)
        SPMV__TRY(parse_type(&out->pointers, spmv__json_member(types, pointers), false, pointers,
                             src, err));
    for (int i = 0; i < SPMV__BINSPARSE_ARRAYS; i++) {
        const char *name = out->layout->arrays[i];
        SPMV__TRY(
            parse_type(&out->types[i], spmv__json_member(types, name), i == 2, name, src, err));
    }
done:
    return st;
}

/* Members that change the meaning of all others, and the only value that we know of each. */
static spmv_status check_rest(const char *d, const spmv__source *src, spmv_error *err)
{
    int64_t base = 0;
    const char *fill = spmv__json_member(d, "fill"),
               *index_base = spmv__json_member(d, "index_base");
    if (fill != NULL && strncmp(fill, "false", 5) != 0)
        return unsupported(src, err, "member", "fill");
    if (index_base != NULL && (spmv__json_integer(index_base, &base) == NULL || base != 0))
        return unsupported(src, err, "member", "index_base");
    return SPMV_SUCCESS;
}

spmv_status spmv__binsparse_parse(spmv__binsparse *out, const char *text, const spmv__source *src,
                                  spmv_error *err)
{
    const char *d = spmv__json_member(spmv__json_skip_blanks(text), "binsparse");
    spmv_status st;
    *out = (spmv__binsparse){.symmetry = SPMV_GENERAL};
    if (d == NULL) return invalid(src, err, "binsparse");
    SPMV__TRY(parse_layout(out, d, src, err));
    SPMV__TRY(parse_structure(out, d, src, err));
    SPMV__TRY(parse_sizes(out, d, src, err));
    SPMV__TRY(parse_types(out, d, src, err));
    SPMV__TRY(check_rest(d, src, err));
done:
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static int format_type(char *out, size_t room, const char *name, spmv__binsparse_type type)
{
    const char *number = "";
    for (int i = 0; i < COUNT(numbers); i++)
        if (numbers[i].type.kind == type.kind && numbers[i].type.size == type.size)
            number = numbers[i].name;
    return snprintf(out, room, "\"%s\":\"%s%s%s%s%s\"", name, type.iso ? "iso[" : "",
                    type.complex ? "complex[" : "", number, type.complex ? "]" : "",
                    type.iso ? "]" : "");
}

void spmv__binsparse_format(char out[SPMV__BINSPARSE_FORMATTED], const spmv__binsparse *d)
{
    const size_t room = SPMV__BINSPARSE_FORMATTED;
    size_t used = (size_t)snprintf(
        out, room,
        "{\"binsparse\":{\"version\":\"0.1.0\",\"format\":\"%s\",\"shape\":[%" PRId64 ",%" PRId64
        "],\"number_of_stored_values\":%" PRId64 ",",
        d->layout->name, d->rows, d->cols, d->nnz);
    for (int i = 0; i < COUNT(structures); i++)
        if (structures[i].symmetry == d->symmetry)
            used += (size_t)snprintf(out + used, room - used, "\"structure\":\"%s\",",
                                     structures[i].name);
    used += (size_t)snprintf(out + used, room - used, "\"data_types\":{");
    for (int i = 0; i < SPMV__BINSPARSE_ARRAYS; i++) {
        if (i > 0) out[used++] = ',';
        used += (size_t)format_type(out + used, room - used, d->layout->arrays[i], d->types[i]);
    }
    snprintf(out + used, room - used, "}}}");
}
