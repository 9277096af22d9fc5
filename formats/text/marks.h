/* marks.h -- a bit for each of 16 bytes of text, or of 64. */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SPMV__MARKED = 64 }; /* bytes */

typedef signed char spmv__sixteen __attribute__((vector_size(16)));

static inline spmv__sixteen spmv__sixteen_at(const unsigned char *p)
{
    spmv__sixteen bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/* Bit k is set where byte k is -1, and not where it is 0. */
static inline uint64_t spmv__marks_of(spmv__sixteen bytes)
{
#ifdef __SSE2__
    return (uint32_t)_mm_movemask_epi8((__m128i)bytes);
#else
    uint64_t marks = 0;
    for (int k = 0; k < 16; k++) marks |= (uint64_t)(bytes[k] & 1) << k;
    return marks;
#endif
}

/* Which of 64 bytes are no digits. */
static inline uint64_t spmv__marks_of_digits(const unsigned char *p)
{
    uint64_t marks = 0;
    for (int i = 0; i < SPMV__MARKED; i += 16) {
        const spmv__sixteen x = spmv__sixteen_at(p + i);
        marks |= spmv__marks_of((spmv__sixteen)((x < '0') | (x > '9'))) << i;
    }
    return marks;
}

/* The marks of the text n bytes farther on; what is not known is a mark. */
static inline uint64_t spmv__marks_behind(uint64_t marks, int64_t n)
{
    return n < SPMV__MARKED ? ~(~marks >> n) : ~UINT64_C(0);
}

/* The place of the lowest mark, which is taken away; the last place where there is none. */
static inline int spmv__next_mark(uint64_t *marks)
{
    const int place = __builtin_ctzll(*marks | UINT64_C(1) << (SPMV__MARKED - 1));
    *marks &= *marks - 1;
    return place;
}
