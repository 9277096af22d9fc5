/* digits.h -- integers as text, eight digits at a time: the way back from plain_number.h.
 *
 * Three steps halve eight digits to fours, pairs and single ones, each for all lanes of one 64-bit
 * integer; a multiplication and a shift stand for each division. */
#pragma once

#include <stdint.h>
#include <string.h>

enum { SPMV__DIGITS = 100000000 }; /* 10^8 */

/* The eight digits of n < 10^8 as bytes 0 .. 9, the first in the lowest byte. */
static inline uint64_t spmv__split_eight(uint64_t n)
{
    const uint64_t fours = n / 10000 | n % 10000 << 32;
    const uint64_t hundreds = fours * 10486 >> 20 & 0x0000007f0000007fu;
    const uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
    const uint64_t tens = pairs * 103 >> 10 & 0x000f000f000f000fu;
    return tens | (pairs - tens * 10) << 8;
}

static inline void spmv__store_eight(char *p, uint64_t text)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    memcpy(p, &text, sizeof text);
}

/* The digits of n at p; returns their end.  Up to 7 bytes beyond it are overwritten. */
static inline char *spmv__put_integer(char *p, uint64_t n)
{
    const uint64_t zeros = 0x3030303030303030u;
    if (n >= SPMV__DIGITS) {
        p = spmv__put_integer(p, n / SPMV__DIGITS);
        spmv__store_eight(p, spmv__split_eight(n % SPMV__DIGITS) | zeros);
        return p + 8;
    }
    const uint64_t digits = spmv__split_eight(n);
    const int leading = __builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
    spmv__store_eight(p, (digits | zeros) >> (8 * leading));
    return p + 8 - leading;
}
