/* plain_number.h -- numbers in the plain form that nearly all files have, eight digits at a time.
 *
 * These functions look at no more than SPMV__PLAIN bytes, which the caller knows to be there,
 * and return NULL where the careful way (text_number.c) has to decide.  What they do accept, they
 * read to the same bits.
 *
 * Eight bytes are loaded as one integer; one subtraction and one mask tell how many of them are
 * digits, a shift turns the rest into leading zeros, and three multiplications add pairs, fours and
 * the eight.  Up to 19 digits then take decimal.h to the nearest double. */
#pragma once

#include "formats/text/decimal.h"
#include "formats/text/number.h"

#include <math.h>

enum { SPMV__PLAIN = 64, SPMV__PLAIN_DIGITS = 19 };

static inline const unsigned char *spmv__plain_blanks(const unsigned char *p,
                                                      const unsigned char *safe)
{
    while (p < safe && (*p == ' ' || *p == '\t')) p++;
    return p;
}

/* [n] = 10^n */
static const uint64_t spmv__plain_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                            1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                            1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

/* The value of 8 digits, the first in the lowest byte. */
static inline uint64_t spmv__plain_eight(uint64_t x)
{
    x = x * 10 + (x >> 8);
    return ((x & 0x000000ff000000ffu) * 0x000f424000000064u +
            (x >> 16 & 0x000000ff000000ffu) * 0x0000271000000001u) >>
           32;
}

/* The 8 bytes at p, each less '0'. */
static inline uint64_t spmv__plain_bytes(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x ^ 0x3030303030303030u;
}

/* The same; *n is how many of them are digits before the first that is not. */
static inline uint64_t spmv__plain_load(const unsigned char *p, int *n)
{
    const uint64_t x = spmv__plain_bytes(p);
    const uint64_t others = (x | (x + 0x7676767676767676u)) & 0x8080808080808080u;
    *n = others == 0 ? 8 : __builtin_ctzll(others) / 8;
    return x;
}

/* Append the digits at *p to *value, up to 24 of them; returns how many there were. */
static inline int spmv__plain_digits(const unsigned char **p, uint64_t *value)
{
    int total = 0, n = 8;
    while (n == 8 && total < 24) {
        const uint64_t x = spmv__plain_load(*p, &n);
        if (n == 0) break;
        *value = *value * spmv__plain_tens[n] + spmv__plain_eight(x << (64 - 8 * n));
        *p += n;
        total += n;
    }
    return total;
}

/* An index of at most 19 digits and INT64_MAX, hardly ever of more than 7 digits. */
static inline const unsigned char *spmv__plain_index(const unsigned char *p, uint64_t *out)
{
    int n;
    const uint64_t x = spmv__plain_load(p, &n);
    if (n == 0) return NULL;
    if (n < 8) {
        *out = spmv__plain_eight(x << (64 - 8 * n));
        return p + n;
    }
    *out = 0;
    n = spmv__plain_digits(&p, out);
    return n > SPMV__PLAIN_DIGITS || *out > INT64_MAX ? NULL : p;
}

/* The value of the digits at p, of which there are 1 to SPMV__PLAIN_DIGITS. */
static inline uint64_t spmv__plain_value(const unsigned char *p, int digits)
{
    uint64_t value = 0;
    for (; digits > 8; digits -= 8, p += 8)
        value = value * spmv__plain_tens[8] + spmv__plain_eight(spmv__plain_bytes(p));
    return value * spmv__plain_tens[digits] +
           spmv__plain_eight(spmv__plain_bytes(p) << (64 - 8 * digits));
}

/* An integer that is exact in double precision. */
static inline const unsigned char *spmv__plain_integer(const unsigned char *p, bool is_unsigned,
                                                       double *out)
{
    uint64_t magnitude = 0;
    bool negative = *p == '-';
    p += negative;
    int n = spmv__plain_digits(&p, &magnitude);
    if (n == 0 || n > 15 || (negative && is_unsigned)) return NULL;
    *out = (double)(negative ? -(int64_t)magnitude : (int64_t)magnitude);
    return p;
}

/* The exponent at p, if there is one: added to *exponent. */
static inline const unsigned char *spmv__plain_exponent(const unsigned char *p, int *exponent)
{
    if ((*p | 0x20) != 'e') return p;
    p++;
    bool negative = *p == '-';
    p += negative || *p == '+';
    int e = 0, n = 0;
    for (; n < 4 && *p >= '0' && *p <= '9'; p++, n++) e = e * 10 + (*p - '0');
    if (n == 0 || n == 4) return NULL;
    *exponent += negative ? -e : e;
    return p;
}

/* A finite decimal number that is 0 only if it is written so; end is that of the text. */
static inline const unsigned char *spmv__plain_real(const unsigned char *p,
                                                    const unsigned char *end, double *out)
{
    const unsigned char *start = p;
    uint64_t mantissa = 0;
    int exponent = 0;
    bool negative = *p == '-';
    p += negative;
    int n = spmv__plain_digits(&p, &mantissa);
    if (*p == '.') {
        p++;
        exponent = -spmv__plain_digits(&p, &mantissa);
        n -= exponent;
    }
    if (n == 0) return NULL;
    if (n <= 19) p = spmv__plain_exponent(p, &exponent);
    if (p == NULL) return NULL;

    if (n <= 19 && spmv__decimal(mantissa, exponent, negative, out)) return p;
    p = (const unsigned char *)spmv__parse_number((const char *)start, (const char *)end, out);
    return isfinite(*out) && *out != 0 ? p : NULL;
}

/* The weight of an edge, if it is no integer that double precision may have rounded. */
static inline const unsigned char *spmv__plain_weight(const unsigned char *p,
                                                      const unsigned char *end, double *out)
{
    p = spmv__plain_real(p, end, out);
    return p != NULL && fabs(*out) < 0x1p53 ? p : NULL;
}

/* Over trailing blanks and a line end of one of the two usual kinds. */
static inline const unsigned char *spmv__plain_line_end(const unsigned char *p,
                                                        const unsigned char *end)
{
    while (end - p > 2 && (*p == ' ' || *p == '\t')) p++;
    if (end - p < 2) return NULL;
    if (*p == '\n') return p + 1;
    return p[0] == '\r' && p[1] == '\n' ? p + 2 : NULL;
}
