/* name.c -- names of nodes that are words: which can be, and how they are written. */
#include "formats/common/name.h"

#include <string.h>

/* ---- Which can be --------------------------------------------------------------------------- */

/* The character at p, which lies in UTF-8 of up to 4 bytes, and its length; 0: there is none. */
static int decode(const unsigned char *p, const unsigned char *end, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const int length = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    if (length == 0 || *p > 0xf4 || end - p < length) return 0;
    uint32_t c = *p & lead[length];
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    *out = c;
    return c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : length;
}

/* Whether all of 8 bytes are printable ASCII: none has its highest bit, or is below 32, or 127. */
static bool are_plain(const unsigned char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return ((x | (x - ones * 0x20) | (x + ones)) & high) == 0;
}

const char *spmv__name_fault(const unsigned char *p, const unsigned char *end)
{
    if (p == end) return "is empty";
    if (end - p > SPMV_NAME_LENGTH) return "is longer than 4095 bytes";
    while (p < end) {
        uint32_t c = 0;
        if (end - p >= 8 && are_plain(p)) {
            p += 8;
            continue;
        }
        const int length = decode(p, end, &c);
        if (length == 0) return "is not UTF-8";
        if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return "holds a control character";
        p += length;
    }
    return NULL;
}

const char *spmv__field_fault(const spmv__field *field)
{
    unsigned char plain[2 * SPMV_NAME_LENGTH];
    if (!field->escaped || field->end - field->p > (ptrdiff_t)sizeof plain)
        return spmv__name_fault(field->p, field->end);
    return spmv__name_fault(plain, plain + spmv__field_copy(field, (char *)plain));
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Whether it is a number that is no integer, and so no name where nothing says that names are
 * words. */
static bool is_decimal(const char *name, int64_t length)
{
    const unsigned char *p = (const unsigned char *)name, *end;
    const spmv__field field = {.p = p, .end = p + length};
    return spmv__field_may_be_id(&field) && !spmv__field_is_integer(&field, &end);
}

/* Whether it may read as a number followed by a comment, or by another one. */
static bool goes_on(const char *name)
{
    return strchr("+-.0123456789", name[0]) != NULL && strpbrk(name, "#% ") != NULL;
}

/* Quotes are needed where a reader would split the name, or take it for a comment, a quoted field,
 * or the first line of Pajek or GML. */
static bool needs_quotes(const char *name, int64_t length, char separator)
{
    const char stops[] = {'"', separator, '\0'};
    if (strchr("#%{[* ", name[0]) != NULL || strncmp(name, "//", 2) == 0) return true;
    /* Where a file begins with it, it is no part of a name. */
    if (strncmp(name, SPMV__BYTE_ORDER_MARK, strlen(SPMV__BYTE_ORDER_MARK)) == 0) return true;
    const bool is_table = separator == ',' || separator == '\t';
    if (is_table && (is_decimal(name, length) || goes_on(name))) return true;
    if (name[length - 1] == ' ') return true;
    return strpbrk(name, separator == ' ' ? "\" ,;|" : stops) != NULL;
}

char *spmv__name_put(char *out, const char *name, int64_t length, char separator)
{
    if (!needs_quotes(name, length, separator)) {
        memcpy(out, name, (size_t)length);
        return out + length;
    }
    *out++ = '"';
    for (int64_t i = 0; i < length; i++) {
        if (name[i] == '"') *out++ = '"';
        *out++ = name[i];
    }
    *out++ = '"';
    return out;
}
