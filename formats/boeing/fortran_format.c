/* fortran_format.c -- the formats of Fortran that describe one number, repeated.
 *
 *     ( [k P [,]] [repeat] I width [. digits] )
 *     ( [k P [,]] [repeat] E|D|F|G width . decimals [E digits] )
 *
 * Specification: ISO/IEC 1539-1:2018, 13.3 and 13.7.2.  Blanks may stand anywhere. */
#include "formats/boeing/fortran.h"

#include <string.h>

/* The format without its blanks and in capitals. */
typedef struct letters {
    char text[40];
    const char *p;
} letters;

static bool take_letters(letters *out, const unsigned char *p, const unsigned char *end)
{
    size_t n = 0;
    for (; p < end; p++) {
        if (*p == ' ') continue;
        if (n + 1 >= sizeof out->text || *p == '\0') return false;
        out->text[n++] = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
    }
    out->text[n] = '\0';
    out->p = out->text;
    return true;
}

static bool take(letters *from, char letter)
{
    if (*from->p != letter) return false;
    from->p++;
    return true;
}

/* A number of up to three digits; false when there is none. */
static bool take_number(letters *from, int *out)
{
    const char *begin = from->p;
    for (*out = 0; from->p < begin + 3 && *from->p >= '0' && *from->p <= '9'; from->p++)
        *out = 10 * *out + (*from->p - '0');
    return from->p > begin;
}

/* The scale factor `k P`, if the format begins with one. */
static void take_scale(letters *from, int *out)
{
    const letters before = *from;
    const bool negative = take(from, '-');
    if (!negative) take(from, '+');
    if (take_number(from, out) && take(from, 'P')) {
        take(from, ',');
        if (negative) *out = -*out;
        return;
    }
    *out = 0;
    *from = before;
}

static bool parse(letters *from, spmv__fortran_format *out)
{
    int ignored;
    *out = (spmv__fortran_format){0};
    if (!take(from, '(')) return false;
    take_scale(from, &out->scale);
    if (!take_number(from, &out->repeat)) out->repeat = 1;
    out->integer = take(from, 'I');
    if (!out->integer && (*from->p == '\0' || strchr("EDFG", *from->p++) == NULL)) return false;
    if (!take_number(from, &out->width)) return false;
    const bool point = take(from, '.');
    if (point != take_number(from, &out->decimals)) return false;
    if (!point && !out->integer) return false;
    if (out->integer) out->decimals = 0;
    if (take(from, 'E') && !take_number(from, &ignored)) return false;
    return take(from, ')') && *from->p == '\0';
}

static bool is_possible(const spmv__fortran_format *format)
{
    return format->repeat >= 1 && format->repeat <= SPMV__FORTRAN_WIDEST && format->width >= 1 &&
           format->width <= SPMV__FORTRAN_WIDEST;
}

/* The end of the format at p, after the parenthesis that closes it, or of the line. */
static const unsigned char *format_end(const spmv__text *text)
{
    const unsigned char *p = text->p;
    int depth = 0;
    for (; !spmv__text_line_ends(text, p); p++) {
        depth += (*p == '(') - (*p == ')');
        if (depth == 0) return p + 1;
    }
    return p;
}

bool spmv__fortran_read_format(spmv__text *text, spmv__fortran_format *out)
{
    const unsigned char *place = text->p, *end = format_end(text);
    char quote[SPMV__TEXT_QUOTE];
    letters from;
    text->p = end;
    if (take_letters(&from, place, end) && parse(&from, out) && is_possible(out)) return true;
    spmv__text_fault(text, place,
                     "the format '%s' is not one of numbers in equal columns, as (26I3) and "
                     "(3E26.18) are",
                     spmv__text_quote(quote, place, end));
    text->status = SPMV_ERROR_UNSUPPORTED;
    return false;
}

/* A number has a byte, and where it is wider than that, another one ends it. */
int64_t spmv__fortran_room(const spmv__fortran_format *format, int64_t bytes)
{
    return (format->width == 1 ? bytes : bytes / 2) + 1;
}
