/* text_number.c -- the words of a line as integers and reals, with all that may be odd about them.
 *
 * This is the careful way.  Lines in the plain form that nearly all files have take the quick one
 * in plain_number.h, which gives up where anything here could matter. */
#include "formats/text/number.h"
#include "formats/text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Digits at p as an unsigned number; UINT64_MAX when there are too many.  Returns their end. */
static const unsigned char *read_digits(const unsigned char *p, const unsigned char *end,
                                        uint64_t *out)
{
    uint64_t v = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        v = v > (UINT64_MAX - digit) / 10 ? UINT64_MAX : v * 10 + digit;
    }
    *out = v;
    return p;
}

bool spmv__text_parse_integer(const unsigned char *p, const unsigned char *end, bool *negative,
                              uint64_t *magnitude)
{
    *negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    return p < end && read_digits(p, end, magnitude) == end;
}

bool spmv__text_read_integer(spmv__text *text, const char *what, int64_t *out)
{
    const unsigned char *p = text->p, *end = spmv__text_word_end(text, p);
    char quote[SPMV__TEXT_QUOTE];
    bool negative;
    uint64_t magnitude;
    if (p == end) return spmv__text_fault(text, p, "the line ends where the %s is expected", what);
    if (!spmv__text_parse_integer(p, end, &negative, &magnitude))
        return spmv__text_fault(text, p, "'%s' is not an integer; the %s is expected here",
                                spmv__text_quote(quote, p, end), what);
    if (magnitude > INT64_MAX)
        *out = negative ? INT64_MIN : INT64_MAX;
    else
        *out = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    text->p = end;
    return true;
}

bool spmv__text_read_count(spmv__text *text, const char *what, int64_t *out)
{
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_skip_blanks(text);
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, what, out)) return false;
    if (*out >= 0 && *out < INT64_MAX / 2) return true;
    return spmv__text_fault(text, place, "the %s cannot be %s", what,
                            spmv__text_quote(quote, place, text->p));
}

bool spmv__text_read_last_count(spmv__text *text, const char *what, int64_t *out)
{
    *out = 0;
    spmv__text_skip_blanks(text);
    return spmv__text_line_is_over(text) || spmv__text_read_count(text, what, out);
}

static bool bad_number(spmv__text *text, const unsigned char *p, const unsigned char *end)
{
    char quote[SPMV__TEXT_QUOTE];
    const char *hint = "";
    if (*p == '(')
        hint = "; a complex value is two numbers, without parentheses";
    else if (memchr(p, ',', (size_t)(end - p)) != NULL)
        hint = "; decimals have a point, and numbers are separated by blanks";
    return spmv__text_fault(text, p, "'%s' is not a number%s", spmv__text_quote(quote, p, end),
                            hint);
}

bool spmv__text_parse_real(spmv__text *text, const unsigned char *p, const unsigned char *end,
                           double *out)
{
    if (spmv__parse_number((const char *)p, (const char *)end, out) != (const char *)end)
        return bad_number(text, p, end);

    const unsigned char *first = p + (*p == '-' || *p == '+');
    bool digits = *first == '.' || (*first >= '0' && *first <= '9');
    if (digits && first + 1 < end && (first[1] | 0x20) == 'x')
        spmv__text_note(text, SPMV__ODD_HEXADECIMAL, p);
    if (!isfinite(*out))
        spmv__text_note(text, digits ? SPMV__ODD_TOO_LARGE : SPMV__ODD_NOT_FINITE, p);
    if (spmv__number_vanishes((const char *)p, (const char *)end, *out))
        spmv__text_note(text, SPMV__ODD_TOO_SMALL, p);
    return true;
}

/* Whether an integer of so many bytes, whose magnitude is exact below UINT64_MAX, is this value. */
static bool is_integer_exact(const unsigned char *p, const unsigned char *end, uint64_t magnitude,
                             double value)
{
    enum { DIGITS = 310 }; /* of the largest double */
    char digits[DIGITS + 1];
    if (magnitude < UINT64_MAX) return spmv__is_exact(magnitude);
    if (!isfinite(value)) return true; /* which is odd enough */
    const size_t n = (size_t)snprintf(digits, sizeof digits, "%.0f", fabs(value));
    while (p < end && (*p == '+' || *p == '-' || *p == '0')) p++;
    return (size_t)(end - p) == n && memcmp(p, digits, n) == 0;
}

bool spmv__text_parse_weight(spmv__text *text, const unsigned char *p, const unsigned char *end,
                             double *out)
{
    bool negative;
    uint64_t magnitude;
    if (!spmv__text_parse_real(text, p, end, out)) return false;
    if (spmv__text_parse_integer(p, end, &negative, &magnitude) &&
        !is_integer_exact(p, end, magnitude, *out))
        spmv__text_note(text, SPMV__ODD_ROUNDED, p);
    return true;
}

/* The whole word at text->p. */
static bool read_word(spmv__text *text, const char *what, double *out,
                      bool (*parse)(spmv__text *text, const unsigned char *p,
                                    const unsigned char *end, double *out))
{
    const unsigned char *p = text->p, *end = spmv__text_word_end(text, p);
    if (p == end) return spmv__text_fault(text, p, "the line ends where %s is expected", what);
    if (!parse(text, p, end, out)) return false;
    text->p = end;
    return true;
}

bool spmv__text_read_real(spmv__text *text, const char *what, double *out)
{
    return read_word(text, what, out, spmv__text_parse_real);
}

bool spmv__text_read_weight(spmv__text *text, const char *what, double *out)
{
    return read_word(text, what, out, spmv__text_parse_weight);
}
