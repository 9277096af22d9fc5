/* entry_value.c -- the value of one entry, as its field demands, the careful way (text_number.c).
 */
#include "formats/text/number.h"
#include "formats/mtx/mtx.h"

#include <math.h>

/* 1.0 or 1e3 where an integer is expected. */
static bool read_decimal_integer(spmv__text *text, double *out)
{
    const unsigned char *p = text->p;
    char quote[SPMV__TEXT_QUOTE];
    if (!spmv__text_read_real(text, "a value", out)) return false;
    if (!(fabs(*out) < 0x1p63) || *out != floor(*out))
        return spmv__text_fault(text, p,
                                "'%s' is not an integer; a file with such values is 'real'",
                                spmv__text_quote(quote, p, text->p));
    spmv__text_note(text, SPMV__ODD_DECIMAL_INTEGER, p);
    return true;
}

/* The limits of an integer field: no rounding where it cannot be told, at most a remark where the
 * value is at least an int64_t. */
static bool check_integer(spmv__text *text, const unsigned char *p, const unsigned char *end,
                          bool is_unsigned, bool negative, uint64_t magnitude)
{
    const bool has_no_sign = !negative && magnitude < UINT64_MAX; /* exact below that */
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_quote(quote, p, end);
    if (is_unsigned && !spmv__is_exact(magnitude))
        return spmv__text_fault(text, p,
                                "the unsigned integer %s is not exact in double precision; a file "
                                "with such values is 'real'",
                                quote);
    if (!is_unsigned && magnitude > (uint64_t)INT64_MAX + negative)
        return spmv__text_fault(
            text, p,
            "the integer %s needs more than 64 bits%s; a file with such values is %s'real'", quote,
            has_no_sign ? " with its sign" : "", has_no_sign ? "'unsigned-integer' or " : "");
    if (!spmv__is_exact(magnitude)) spmv__text_note(text, SPMV__ODD_ROUNDED, p);
    return true;
}

static bool read_integer_value(spmv__text *text, bool is_unsigned, double *out)
{
    const unsigned char *p = text->p, *end = spmv__text_word_end(text, p);
    char quote[SPMV__TEXT_QUOTE];
    bool negative;
    uint64_t magnitude;
    if (spmv__text_parse_integer(p, end, &negative, &magnitude)) {
        if (!check_integer(text, p, end, is_unsigned, negative, magnitude)) return false;
        *out = negative && magnitude != 0 ? -(double)magnitude : (double)magnitude;
        text->p = end;
    } else if (!read_decimal_integer(text, out)) {
        return false;
    }
    if (!is_unsigned || *out >= 0) return true;
    return spmv__text_fault(text, p, "'%s' is negative in a file of unsigned integers",
                            spmv__text_quote(quote, p, end));
}

/* A pattern has no values; one that is there nevertheless must at least be a number. */
static bool skip_pattern_value(spmv__text *text)
{
    const unsigned char *p = text->p;
    double ignored;
    if (spmv__text_line_is_over(text)) return true;
    if (!spmv__text_read_real(text, "a value", &ignored)) return false;
    spmv__text_note(text, SPMV__ODD_PATTERN_VALUE, p);
    return true;
}

bool spmv__mtx_read_value(spmv__text *text, spmv__mtx_field field, spmv_scalar *out)
{
    *out = (spmv_scalar){1.0, 0.0};
    spmv__text_skip_blanks(text);
    if (field == SPMV__MTX_PATTERN) return skip_pattern_value(text);
    if (field == SPMV__MTX_INTEGER || field == SPMV__MTX_UNSIGNED)
        return read_integer_value(text, field == SPMV__MTX_UNSIGNED, &out->re);
    if (!spmv__text_read_real(text, "a value", &out->re)) return false;
    if (field == SPMV__MTX_REAL) return true;
    spmv__text_skip_blanks(text);
    return spmv__text_read_real(text, "the imaginary part", &out->im);
}
