/* number_write.cpp -- numbers to text: the fewest digits that read back to the same bits.
 *
 * Dragonbox finds the digits (J. Jeon, "Dragonbox: A New Floating-Point Binary-to-Decimal
 * Conversion Algorithm", 2020); they are laid out as std::to_chars does it, as 0.001 or as 1e-04,
 * whichever is shorter.  19 ns a number of 17 digits, where std::to_chars of GCC 12 takes 34. */
extern "C" {
#include "formats/text/digits.h"
#include "formats/text/number.h"
}

#include <dragonbox/dragonbox.h>

#include <cmath>

namespace
{

enum {
    DIGITS = 17,      /* at most, of a double */
    ROOM = 2 * DIGITS /* so that copies may have a fixed size */
};

char *put_word(char *out, const char *word)
{
    while (*word != '\0') *out++ = *word++;
    return out;
}

char *put_scientific(char *out, const char *text, int count, int exponent)
{
    *out++ = text[0];
    *out = '.';
    std::memcpy(out + 1, text + 1, DIGITS - 1);
    if (count > 1) out += count;
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    exponent = std::abs(exponent);
    if (exponent < 10) *out++ = '0';
    return spmv__put_integer(out, static_cast<uint64_t>(exponent));
}

/* digits * 10^ten; digits > 0. */
char *put_decimal(char *out, uint64_t digits, int ten)
{
    char text[ROOM] = {};
    const int count = static_cast<int>(spmv__put_integer(text, digits) - text);
    const int point = count + ten; /* digits before it */
    const int exponent = point - 1;
    const int scientific = count + (count > 1) + (std::abs(exponent) < 100 ? 4 : 5);
    const int before = point > 0 ? point : 1, after = ten < 0 ? -ten : 0;
    if (before + (after > 0) + after > scientific)
        return put_scientific(out, text, count, exponent);

    if (point <= 0) {
        std::memcpy(out, "0.000000", 8);
        std::memcpy(out + 2 - point, text, DIGITS);
        return out + 2 + after;
    }
    std::memcpy(out, text, DIGITS);
    if (after == 0) {
        std::memset(out + count, '0', static_cast<std::size_t>(ten));
        return out + point;
    }
    out[point] = '.';
    std::memcpy(out + point + 1, text + point, DIGITS - 1);
    return out + point + 1 + after;
}

template <class Real>
char *put_number(char *out, Real value)
{
    using namespace jkj::dragonbox;
    if (std::signbit(value)) *out++ = '-';
    value = std::fabs(value);
    if (!std::isfinite(value)) return put_word(out, std::isnan(value) ? "nan" : "inf");
    if (value == 0) return put_word(out, "0");
    const auto shortest = to_decimal(value, policy::sign::ignore);
    return put_decimal(out, shortest.significand, shortest.exponent);
}

/* Text is read as double and then narrowed.  That gives back every float from its shortest form
 * but this one and its negative, where the text lies so close to a tie that the first rounding
 * decides the second (all 2^32 were tried): it is written with the digits of a double. */
constexpr float rounded_twice = 7.038531e-26f;

} // namespace

extern "C" int spmv__format_number(char *out, double value, spmv_type type)
{
    const bool narrow = type == SPMV_F32 || type == SPMV_C64;
    const bool single = narrow && std::fabs(value) != static_cast<double>(rounded_twice);
    const char *end = single ? put_number(out, static_cast<float>(value)) : put_number(out, value);
    return static_cast<int>(end - out);
}
