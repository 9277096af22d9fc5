/* fortran_numbers.c -- numbers out of columns of a fixed width.
 *
 * Fields may touch, and then only their width tells them apart.  A line that has as many words as
 * it is to have numbers is taken by words, wherever these stand: in a file that keeps its columns
 * that is the same, and SciPy writes reals one column narrower than it says.  Blank fields and
 * blanks within a number, which Fortran reads as if there were none, are refused: they come of a
 * file that has lost its columns. */
#include "formats/boeing/fortran.h"
#include "formats/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool spmv__fortran_finish(spmv__fortran_numbers *numbers)
{
    spmv__text *text = numbers->text;
    char quote[SPMV__TEXT_QUOTE];
    if (numbers->taken == 0 || spmv__text_finish_line(text)) return true;
    return spmv__text_fault(text, text->p, "'%s' after the last of the %s on the line",
                            spmv__text_quote_word(quote, text), numbers->what);
}

static bool blank_field(spmv__fortran_numbers *numbers, const unsigned char *place)
{
    spmv__text *text = numbers->text;
    if (place == text->end)
        return spmv__text_fault(text, place, "the file ends after %" PRId64 " of %" PRId64 " %s",
                                numbers->taken, numbers->count, numbers->what);
    if (spmv__text_line_ends(text, text->p))
        return spmv__text_fault(text, place, "the line ends where one of its %d %s is expected",
                                numbers->format->repeat, numbers->what);
    return spmv__text_fault(text, place, "blanks in the columns of one of %" PRId64 " %s",
                            numbers->count, numbers->what);
}

/* Whether the line at p has as many words as it is to have numbers. */
static bool has_words(const spmv__text *text, const unsigned char *p, int64_t expected)
{
    int64_t words = 0;
    for (bool within = false; !spmv__text_line_ends(text, p); p++) {
        words += !within && *p != ' ';
        within = *p != ' ';
    }
    return words == expected;
}

static bool begin_line(spmv__fortran_numbers *numbers)
{
    const int64_t left = numbers->count - numbers->taken, repeat = numbers->format->repeat;
    if (!spmv__fortran_finish(numbers)) return false;
    numbers->line = numbers->text->p;
    numbers->by_words = has_words(numbers->text, numbers->line, left < repeat ? left : repeat);
    return true;
}

/* The next field without the blanks around it, [*begin, *end), which is not empty. */
static bool next_field(spmv__fortran_numbers *numbers, const unsigned char **begin,
                       const unsigned char **end)
{
    spmv__text *text = numbers->text;
    const int width = numbers->format->width,
              place = (int)(numbers->taken % numbers->format->repeat);
    if (place == 0 && !begin_line(numbers)) return false;

    const unsigned char *p = text->p, *q, *limit = text->end;
    if (!numbers->by_words && limit - p > width) limit = p + width;
    while (p < limit && *p == ' ') p++;
    for (q = p; q < limit && *q != '\n' && *q != '\r' && (*q != ' ' || !numbers->by_words);) q++;
    text->p = q;
    if (p == q) return blank_field(numbers, q);
    if (q == text->end && q - numbers->line < (place + 1) * width)
        spmv__text_note(text, SPMV__ODD_CUT_NUMBER, p);
    while (q[-1] == ' ') q--;
    if (p - numbers->line < place * width || q - numbers->line > (place + 1) * width)
        spmv__text_note(text, SPMV__ODD_COLUMNS, p);
    *begin = p;
    *end = q;
    numbers->taken++;
    return true;
}

static bool refuse(const spmv__fortran_numbers *numbers, const unsigned char *p,
                   const unsigned char *end, const char *kind)
{
    const spmv__fortran_format *format = numbers->format;
    char quote[SPMV__TEXT_QUOTE];
    return spmv__text_fault(numbers->text, p, "'%s' is not %s; each of the %s has %d columns",
                            spmv__text_quote(quote, p, end), kind, numbers->what, format->width);
}

bool spmv__fortran_read_integer(spmv__fortran_numbers *numbers, int64_t *out,
                                const unsigned char **place)
{
    const unsigned char *p, *end;
    bool negative;
    uint64_t magnitude;
    if (!next_field(numbers, &p, &end)) return false;
    if (!spmv__text_parse_integer(p, end, &negative, &magnitude))
        return refuse(numbers, p, end, "an integer");
    *out = magnitude > INT64_MAX ? INT64_MAX : (int64_t)magnitude;
    if (negative) *out = -*out;
    if (place != NULL) *place = p;
    return true;
}

/* ---- Reals ---------------------------------------------------------------------------------- */

/* A field as Fortran sees it: digits with at most one point, and an exponent, whose letter may be
 * missing: 1.5-300. */
typedef struct real_parts {
    const unsigned char *mantissa_end;
    bool point, exponent; /* whether they are there */
    int ten;              /* the exponent */
} real_parts;

static bool take_exponent(real_parts *out, const unsigned char *p, const unsigned char *end)
{
    int digits = 0, sign = 1;
    out->exponent = p < end;
    if (p == end) return true;
    if (strchr("eEdDqQ", *p) != NULL && *p != '\0')
        p++;
    else if (*p != '+' && *p != '-')
        return false;
    if (p < end && (*p == '+' || *p == '-')) sign = *p++ == '-' ? -1 : 1;
    for (; p < end && *p >= '0' && *p <= '9'; p++, digits++)
        if (out->ten < 100000) out->ten = 10 * out->ten + (*p - '0');
    out->ten *= sign;
    return p == end && digits > 0;
}

static bool take_apart(real_parts *out, const unsigned char *p, const unsigned char *end)
{
    int digits = 0;
    *out = (real_parts){0};
    if (p < end && (*p == '+' || *p == '-')) p++;
    for (; p < end; p++) {
        if (*p >= '0' && *p <= '9')
            digits++;
        else if (*p == '.' && !out->point)
            out->point = true;
        else
            break;
    }
    out->mantissa_end = p;
    return digits > 0 && take_exponent(out, p, end);
}

static void note_range(const spmv__fortran_numbers *numbers, const unsigned char *p,
                       const real_parts *parts, double value)
{
    const char *digits = (const char *)p, *end = (const char *)parts->mantissa_end;
    if (!isfinite(value)) spmv__text_note(numbers->text, SPMV__ODD_TOO_LARGE, p);
    if (spmv__number_vanishes(digits, end, value))
        spmv__text_note(numbers->text, SPMV__ODD_TOO_SMALL, p);
}

/* The field, of up to SPMV__FORTRAN_WIDEST bytes, is `parts`, of which a point, an exponent or its
 * letter is missing. */
static void assemble(const spmv__fortran_numbers *numbers, const unsigned char *p,
                     const real_parts *parts, double *out)
{
    char text[SPMV__FORTRAN_WIDEST + 32];
    const spmv__fortran_format *format = numbers->format;
    const size_t length = (size_t)(parts->mantissa_end - p);
    int shift = 0;
    if (!format->integer && !parts->point) shift -= format->decimals;
    if (!parts->exponent) shift -= format->scale;
    memcpy(text, p, length);
    snprintf(text + length, sizeof text - length, "e%d", parts->ten + shift);
    spmv__parse_number(text, text + length + strlen(text + length), out);
    if (shift != 0 && *out != 0) spmv__text_note(numbers->text, SPMV__ODD_SCALED, p);
    note_range(numbers, p, parts, *out);
}

bool spmv__fortran_read_real(spmv__fortran_numbers *numbers, double *out,
                             const unsigned char **place)
{
    const unsigned char *p, *end;
    real_parts parts;
    bool negative;
    uint64_t magnitude;
    if (!next_field(numbers, &p, &end)) return false;
    if (place != NULL) *place = p;
    if (end - p > SPMV__FORTRAN_WIDEST) return refuse(numbers, p, end, "a number");
    if (!take_apart(&parts, p, end)) {
        const unsigned char *first = p + (*p == '+' || *p == '-');
        const bool word = first < end && ((*first | 0x20) == 'i' || (*first | 0x20) == 'n');
        if (!word ||
            spmv__parse_number((const char *)p, (const char *)end, out) != (const char *)end)
            return refuse(numbers, p, end, "a number");
        spmv__text_note(numbers->text, SPMV__ODD_NOT_FINITE, p);
        return true;
    }
    if (parts.point && parts.exponent &&
        spmv__parse_number((const char *)p, (const char *)end, out) == (const char *)end &&
        isfinite(*out) && *out != 0)
        return true;
    assemble(numbers, p, &parts, out);
    if (numbers->format->integer && spmv__text_parse_integer(p, end, &negative, &magnitude) &&
        !spmv__is_exact(magnitude))
        spmv__text_note(numbers->text, SPMV__ODD_ROUNDED, p);
    return true;
}
