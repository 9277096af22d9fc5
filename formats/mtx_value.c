/* mtx_value.c -- the words of a line: integers and values, with all that may be odd about them.
 *
 * This is the careful way.  Lines in the plain form that nearly all files have take the quick one
 * in mtx_plain.h, which gives up where anything here could matter. */
#include "mtx.h"

#include <math.h>
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

/* The integer that a whole word is; false (and no fault) when it is none.  Its magnitude is exact
 * below UINT64_MAX. */
static bool parse_integer(const unsigned char *p, const unsigned char *end, bool *negative,
                          uint64_t *magnitude)
{
    *negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    return p < end && read_digits(p, end, magnitude) == end;
}

bool spmv__mtx_read_integer(spmv__mtx_text *text, const char *what, int64_t *out)
{
    const unsigned char *p = text->p, *end = spmv__mtx_word_end(p, text->end);
    char quote[SPMV__MTX_QUOTE];
    bool negative;
    uint64_t magnitude;
    if (p == end) return spmv__mtx_fault(text, p, "the line ends where the %s is expected", what);
    if (!parse_integer(p, end, &negative, &magnitude))
        return spmv__mtx_fault(text, p, "'%s' is no integer, but the %s is expected here",
                               spmv__mtx_quote(quote, p, end), what);
    if (magnitude > INT64_MAX)
        *out = negative ? INT64_MIN : INT64_MAX;
    else
        *out = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    text->p = end;
    return true;
}

static bool bad_number(spmv__mtx_text *text, const unsigned char *p, const unsigned char *end)
{
    char quote[SPMV__MTX_QUOTE];
    const char *hint = "";
    if (*p == '(')
        hint = "; a complex value is two numbers, without parentheses";
    else if (memchr(p, ',', (size_t)(end - p)) != NULL)
        hint = "; decimals have a point, and numbers are separated by blanks";
    return spmv__mtx_fault(text, p, "'%s' is not a number%s", spmv__mtx_quote(quote, p, end), hint);
}

static bool read_real(spmv__mtx_text *text, const char *what, double *out)
{
    const unsigned char *p = text->p, *end = spmv__mtx_word_end(p, text->end);
    if (p == end) return spmv__mtx_fault(text, p, "the line ends where %s is expected", what);
    if (spmv__parse_number((const char *)p, (const char *)end, out) != (const char *)end)
        return bad_number(text, p, end);

    const unsigned char *first = p + (*p == '-' || *p == '+');
    bool digits = *first == '.' || (*first >= '0' && *first <= '9');
    if (digits && first + 1 < end && (first[1] | 0x20) == 'x')
        spmv__mtx_note(text, SPMV__MTX_HEXADECIMAL, p);
    if (!isfinite(*out))
        spmv__mtx_note(text, digits ? SPMV__MTX_TOO_LARGE : SPMV__MTX_NOT_FINITE, p);
    text->p = end;
    return true;
}

/* 1.0 or 1e3 where an integer is expected. */
static bool read_decimal_integer(spmv__mtx_text *text, double *out)
{
    const unsigned char *p = text->p;
    char quote[SPMV__MTX_QUOTE];
    if (!read_real(text, "a value", out)) return false;
    if (!(fabs(*out) < 0x1p63) || *out != floor(*out))
        return spmv__mtx_fault(text, p, "'%s' is not an integer; a file with such values is 'real'",
                               spmv__mtx_quote(quote, p, text->p));
    spmv__mtx_note(text, SPMV__MTX_DECIMAL_INTEGER, p);
    return true;
}

/* Is a magnitude a double, without rounding? */
static bool fits_double(uint64_t magnitude)
{
    return magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) <= (uint64_t)1 << 53;
}

/* The limits of an integer field: no rounding where it cannot be told, at most a remark where the
 * value is at least an int64_t. */
static bool check_integer(spmv__mtx_text *text, const unsigned char *p, const unsigned char *end,
                          bool is_unsigned, bool negative, uint64_t magnitude)
{
    char quote[SPMV__MTX_QUOTE];
    spmv__mtx_quote(quote, p, end);
    if (is_unsigned && !fits_double(magnitude))
        return spmv__mtx_fault(text, p,
                               "the unsigned integer %s is not exact in double precision; a file "
                               "with such values is 'real'",
                               quote);
    if (!is_unsigned && magnitude > (uint64_t)INT64_MAX + negative)
        return spmv__mtx_fault(text, p,
                               "the integer %s needs more than 64 bits; a file with such values is "
                               "'real'",
                               quote);
    if (!fits_double(magnitude)) spmv__mtx_note(text, SPMV__MTX_ROUNDED, p);
    return true;
}

static bool read_integer_value(spmv__mtx_text *text, bool is_unsigned, double *out)
{
    const unsigned char *p = text->p, *end = spmv__mtx_word_end(p, text->end);
    char quote[SPMV__MTX_QUOTE];
    bool negative;
    uint64_t magnitude;
    if (parse_integer(p, end, &negative, &magnitude)) {
        if (!check_integer(text, p, end, is_unsigned, negative, magnitude)) return false;
        *out = negative && magnitude != 0 ? -(double)magnitude : (double)magnitude;
        text->p = end;
    } else if (!read_decimal_integer(text, out)) {
        return false;
    }
    if (!is_unsigned || *out >= 0) return true;
    return spmv__mtx_fault(text, p, "'%s' is negative in a file of unsigned integers",
                           spmv__mtx_quote(quote, p, end));
}

/* A pattern has no values; one that is there nevertheless must at least be a number. */
static bool skip_pattern_value(spmv__mtx_text *text)
{
    const unsigned char *p = text->p;
    double ignored;
    if (spmv__mtx_line_is_over(text)) return true;
    if (!read_real(text, "a value", &ignored)) return false;
    spmv__mtx_note(text, SPMV__MTX_PATTERN_VALUE, p);
    return true;
}

bool spmv__mtx_read_value(spmv__mtx_text *text, spmv__mtx_field field, spmv__mtx_value *out)
{
    *out = (spmv__mtx_value){1.0, 0.0};
    spmv__mtx_skip_blanks(text);
    if (field == SPMV__MTX_PATTERN) return skip_pattern_value(text);
    if (field == SPMV__MTX_INTEGER || field == SPMV__MTX_UNSIGNED)
        return read_integer_value(text, field == SPMV__MTX_UNSIGNED, &out->re);
    if (!read_real(text, "a value", &out->re)) return false;
    if (field == SPMV__MTX_REAL) return true;
    spmv__mtx_skip_blanks(text);
    return read_real(text, "the imaginary part", &out->im);
}
