/* scan.h -- many bytes of text at once, as one bit each: bit i is byte i.
 *
 * With SSE2, which every x86-64 has; elsewhere byte by byte. */
#ifndef SPMV_FORMATS_SCAN_H
#define SPMV_FORMATS_SCAN_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SPMV__SCAN = 64 }; /* bytes */

/* Which of 64 bytes are c? */
static inline uint64_t spmv__scan_for(const unsigned char *p, char c)
{
    uint64_t found = 0;
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(c);
    for (int i = 48; i >= 0; i -= 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + i));
        found = found << 16 | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
    }
#else
    for (int i = 0; i < 64; i++) found |= (uint64_t)(p[i] == (unsigned char)c) << i;
#endif
    return found;
}

#endif
