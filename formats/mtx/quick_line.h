/* quick_line.h -- a line of a coordinate file as a whole, in the form that programs write:
 *
 *     ROW COL VALUE       one blank each, indices of at most 8 digits, LF or CR LF
 *
 * Where the digits end is read off 48 bits, one for each byte of the line.  Row, column and the
 * last 16 digits of the value then become numbers together: pairs of digits, fours and eights in
 * three multiplications.  There is no loop and hardly a branch that depends on how long a number
 * is, as a branch that is guessed wrongly costs as much as half a line.  What a value has beyond 16
 * digits behind its point, at most 3, is joined with the digits before the point.  Decimals of up
 * to 7 digits, which is nearly all that a program writes that does not write all 17, fit 8 bytes
 * with their point, and need one division.
 *
 * One thread of an AMD EPYC 9005, a line of 34 bytes with 17 digits: 12 ns, one of 20 bytes with 4
 * digits: 9 ns; number by number (plain_number.h) 30 ns.  Without SSE2 no line is read in this way.
 */
#pragma once

#include "formats/text/decimal.h"
#include "formats/mtx/mtx.h"
#include "formats/text/plain_number.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    SPMV__LINE_AHEAD = 64, /* bytes from its beginning that are looked at */
    SPMV__LINE_BEHIND = 16 /* bytes before its beginning */
};

/* So many lines can be read by the same marks, for a line of a pattern has at most 19 bytes: where
 * one begins is then known before the bytes of the one before it have become marks. */
SPMV__INLINE int spmv__lines_at_once(const spmv__mtx_field field)
{
    return field == SPMV__MTX_PATTERN ? 3 : 1;
}

typedef struct spmv__line {
    uint64_t row, col; /* as written */
    double val;        /* 1 for a pattern */
} spmv__line;

#ifdef __SSE2__

/* Which of 48 bytes are no digits, or of 56 for a pattern; bits beyond them are set. */
SPMV__INLINE uint64_t spmv__line_marks(const unsigned char *p, const spmv__mtx_field field)
{
    const __m128i bias = _mm_set1_epi8((char)(-'0' - 128)), nine = _mm_set1_epi8(9 - 128);
    uint64_t marks = 0xffff;
    for (int i = field == SPMV__MTX_PATTERN ? 48 : 32; i >= 0; i -= 16) {
        const __m128i digits = _mm_add_epi8(_mm_loadu_si128((const __m128i *)(p + i)), bias);
        marks = marks << 16 | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(digits, nine));
    }
    return field == SPMV__MTX_PATTERN ? marks | (uint64_t)0xff << 56 : marks;
}

/* The place of the lowest mark, which is taken away. */
static inline int spmv__line_next(uint64_t *marks)
{
    const int place = __builtin_ctzll(*marks);
    *marks &= *marks - 1;
    return place;
}

/* Masks for the last n bytes of 8 or 16, down to their digits: begin n bytes after the first. */
#define SPMV__15 15, 15, 15, 15, 15, 15, 15, 15
static const unsigned char spmv__last_of_8[16] = {[8] = SPMV__15};
static const unsigned char spmv__last_of_16[32] = {[16] = SPMV__15, SPMV__15};
#undef SPMV__15

static inline __m128i spmv__two_eights(const unsigned char *first, const unsigned char *second)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)first),
                              _mm_loadl_epi64((const __m128i *)second));
}

/* 16 digits, as four numbers of four. */
static inline __m128i spmv__line_fours(__m128i digits)
{
    const __m128i tens = _mm_and_si128(digits, _mm_set1_epi16(0xff));
    const __m128i twos =
        _mm_add_epi16(_mm_mullo_epi16(tens, _mm_set1_epi16(10)), _mm_srli_epi16(digits, 8));
    return _mm_madd_epi16(twos, _mm_set1_epi32(1 << 16 | 100));
}

/* Up to 8 digits that end at `row_end`, up to 8 that end at `col_end`, and the last 16 of those
 * that end at `end`. */
SPMV__INLINE uint64_t spmv__line_numbers(const unsigned char *row_end, int row_digits,
                                         const unsigned char *col_end, int col_digits,
                                         const unsigned char *end, int digits, spmv__line *line)
{
    const __m128i indices =
        _mm_and_si128(spmv__two_eights(row_end - 8, col_end - 8),
                      spmv__two_eights(spmv__last_of_8 + row_digits, spmv__last_of_8 + col_digits));
    const __m128i value =
        _mm_and_si128(_mm_loadu_si128((const __m128i *)(end - 16)),
                      _mm_loadu_si128((const __m128i *)(spmv__last_of_16 + digits)));
    const __m128i eights =
        _mm_madd_epi16(_mm_packs_epi32(spmv__line_fours(indices), spmv__line_fours(value)),
                       _mm_set1_epi32(1 << 16 | 10000));
    const uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    const uint64_t halves = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(eights, eights));
    line->row = (uint32_t)both;
    line->col = both >> 32;
    return (uint32_t)halves * (uint64_t)100000000 + (halves >> 32);
}

static inline uint64_t spmv__line_load(const unsigned char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

enum { SPMV__LINE_SHORT = 7 }; /* digits: a point takes one of 8 bytes */

/* `whole` digits, a point, and `behind` more up to `end`, as an integer; SPMV__LINE_SHORT in all.
 */
static inline uint64_t spmv__line_around(const unsigned char *end, int whole, int behind)
{
    const uint64_t bytes = spmv__line_load(end - 8);
    const uint64_t tail = spmv__line_load(spmv__last_of_8 + behind);
    const uint64_t all = spmv__line_load(spmv__last_of_8 + behind + whole);
    /* Those before the point move up by one byte, over it. */
    return spmv__plain_eight((bytes & tail) | ((bytes << 8) & (all ^ tail)));
}

/* The same as a number, of one sign or the other: division rounds as it should. */
static inline double spmv__line_short(const unsigned char *end, int whole, int behind,
                                      bool negative)
{
    static const double tens[2][SPMV__LINE_SHORT + 1] = {
        {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}, {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7}};
    return (double)(int64_t)spmv__line_around(end, whole, behind) / tens[negative][behind];
}

/* What stands before the last 16 digits of a number, as an integer: `whole` digits, a point, and
 * those of the `digits` behind it that are not among the last 16.  False: more than fit. */
static inline bool spmv__line_head(const unsigned char *point, int whole, int digits,
                                   uint64_t *head)
{
    const int more = digits > 16 ? digits - 16 : 0;
    if (whole + more > SPMV__LINE_SHORT) return false;
    *head = spmv__line_around(point + 1 + more, whole, more);
    return true;
}

/* Over the end of the line, or NULL when it goes on. */
static inline const unsigned char *spmv__line_over(const unsigned char *p)
{
    if (*p == '\n') return p + 1;
    return p[0] == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

/* The line at p, where these marks begin, or NULL when it has another form or may need a remark.
 * There are SPMV__LINE_AHEAD bytes of text from p on, and SPMV__LINE_BEHIND before it. */
SPMV__INLINE const unsigned char *spmv__mtx_line(const unsigned char *p, uint64_t marks,
                                                 const spmv__mtx_field field, spmv__line *out)
{
    const int row = spmv__line_next(&marks), col = spmv__line_next(&marks), start = col + 1;
    const int col_digits = col - row - 1;
    if (row < 1 || row > 8 || col_digits < 1 || col_digits > 8 || p[row] != ' ') return NULL;
    if (field == SPMV__MTX_PATTERN) {
        spmv__line_numbers(p + row, row, p + col, col_digits, p + col, 0, out);
        out->val = 1;
        return spmv__line_over(p + col);
    }

    const bool negative = p[start] == '-';
    marks &= marks - negative;
    const int point = spmv__line_next(&marks), whole = point - start - negative;
    if (p[col] != ' ' || field == SPMV__MTX_COMPLEX) return NULL;
    if (p[point] != '.' || field != SPMV__MTX_REAL) {
        if (whole < 1 || whole > 15 || point >= 48) return NULL;
        const int64_t n =
            (int64_t)spmv__line_numbers(p + row, row, p + col, col_digits, p + point, whole, out);
        if (field == SPMV__MTX_UNSIGNED && negative) return NULL;
        out->val = (double)(negative ? -n : n);
        if (field == SPMV__MTX_REAL && n == 0) return NULL; /* may be -0 */
        return spmv__line_over(p + point);
    }

    const int end = spmv__line_next(&marks), digits = end - point - 1;
    const int usual = digits < 16 ? digits : 16;
    uint64_t head;
    const unsigned char *over = spmv__line_over(p + end);
    if (digits > 19 || whole + digits < 1 || end >= 48) return NULL;
    if (whole + digits <= SPMV__LINE_SHORT && over != NULL) {
        spmv__line_numbers(p + row, row, p + col, col_digits, p + end, 0, out);
        out->val = spmv__line_short(p + end, whole, digits, negative);
        return over;
    }
    if (!spmv__line_head(p + point, whole, digits, &head) || head >= spmv__plain_tens[19 - usual])
        return NULL;
    head = head * spmv__plain_tens[usual] +
           spmv__line_numbers(p + row, row, p + col, col_digits, p + end, usual, out);
    int ten = -digits;
    const unsigned char *rest = spmv__plain_exponent(p + end, &ten);
    if (rest == NULL || !spmv__decimal(head, ten, negative, &out->val)) return NULL;
    return spmv__line_over(rest);
}

#else

SPMV__INLINE uint64_t spmv__line_marks(const unsigned char *p, const spmv__mtx_field field)
{
    (void)p;
    (void)field;
    return 0;
}

SPMV__INLINE const unsigned char *spmv__mtx_line(const unsigned char *p, uint64_t marks,
                                                 const spmv__mtx_field field, spmv__line *out)
{
    (void)p;
    (void)marks;
    (void)field;
    (void)out;
    return NULL;
}

#endif
