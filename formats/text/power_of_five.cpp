/* power_of_five.cpp -- the powers of five that decimal.h multiplies with, worked out by the
 * compiler.
 *
 * Upwards from 1 by multiplications with 5 of a number that has room for all bits of 5^308.
 * Downwards from a power of two by divisions: what is cut off of each quotient does not change the
 * next, as floor(floor(x / 5) / 5) = floor(x / 25), and the bits that are kept are far from the end
 * of the number. */
extern "C" {
#include "formats/text/decimal.h"
}

namespace
{

constexpr int words = 60;

struct number {
    uint32_t word[words]; /* the lowest first */
};

constexpr void multiply_by_5(number &n)
{
    uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
        carry += uint64_t{n.word[i]} * 5;
        n.word[i] = uint32_t(carry);
        carry >>= 32;
    }
}

constexpr void divide_by_5(number &n)
{
    uint64_t rest = 0;
    for (int i = words - 1; i >= 0; i--) {
        rest = rest << 32 | n.word[i];
        n.word[i] = uint32_t(rest / 5);
        rest %= 5;
    }
}

/* The 128 bits from the highest that is set. */
constexpr spmv__power top_bits(const number &n)
{
    uint64_t part[3] = {};
    int top = words - 1;
    while (n.word[top] == 0) top--;
    for (int i = 0; i < 5 && top - i >= 0; i++)
        part[i / 2] |= uint64_t{n.word[top - i]} << (i % 2 == 0 ? 32 : 0);
    const int zeros = __builtin_clzll(part[0]);
    if (zeros == 0) return {part[0], part[1]};
    return {part[0] << zeros | part[1] >> (64 - zeros), part[1] << zeros | part[2] >> (64 - zeros)};
}

constexpr spmv__powers all_powers()
{
    spmv__powers powers = {};
    number up = {{1}}, down = {};
    for (int q = 0; q <= SPMV__TEN_MAX; q++, multiply_by_5(up))
        powers.of[q - SPMV__TEN_MIN] = top_bits(up);
    down.word[words - 1] = 1;
    for (int q = -1; q >= SPMV__TEN_MIN; q--) {
        divide_by_5(down);
        spmv__power power = top_bits(down);
        if (q >= -27 && ++power.low == 0) ++power.high;
        powers.of[q - SPMV__TEN_MIN] = power;
    }
    return powers;
}

constexpr spmv__powers computed = all_powers();

} // namespace

extern "C" const spmv__powers spmv__powers_of_five = computed;
