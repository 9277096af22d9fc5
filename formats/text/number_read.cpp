/* number_read.cpp -- text to numbers, exactly.
 *
 * fast_float rounds correctly and knows no locale.  What it lacks is added here: a leading +,
 * Fortran's D exponent, and hexadecimal numbers, which <charconv> reads. */
extern "C" {
#include "formats/text/decimal.h"
#include "formats/text/number.h"
}

#include <charconv>
#include <fast_float/fast_float.h>
#include <limits>
#include <system_error>

namespace
{

/* No exact tie between two doubles has more than 767 significant decimal digits.  All that follow
 * can only break a tie, which one further nonzero digit does as well. */
constexpr int significant_max = 770;

/* Where exponents stop to grow: no text is long enough to bring such a number back into range. */
constexpr int64_t exponent_limit = 100000000000000000;

/* A number as written: the integer `digits`, times base^scale, times its own exponent. */
struct number_parts {
    char digits[significant_max + 1];
    int count = 0; /* of digits; leading zeros are not among them */
    int64_t scale = 0;
    int64_t exponent = 0;
    const char *end = nullptr;
};

bool is_digit(char c, int base)
{
    char letter = static_cast<char>(c | 0x20);
    return (c >= '0' && c <= '9') || (base == 16 && letter >= 'a' && letter <= 'f');
}

void take_digit(number_parts &out, char c, bool fraction)
{
    if (fraction) out.scale--;
    if (out.count == 0 && c == '0') return;
    if (out.count < significant_max) {
        out.digits[out.count++] = c;
    } else if (out.count == significant_max) {
        out.digits[out.count++] = c == '0' ? '0' : '1';
    } else {
        if (c != '0') out.digits[significant_max] = '1';
        out.scale++;
    }
}

/* The exponent at p: a letter, a sign or none, digits.  Returns p itself when one is missing. */
const char *take_exponent(number_parts &out, const char *p, const char *end, int base)
{
    char letter = p < end ? static_cast<char>(*p | 0x20) : '\0';
    if (base == 16 ? letter != 'p' : letter != 'e' && letter != 'd') return p;
    const char *q = p + 1;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) q++;
    if (q == end || !is_digit(*q, 10)) return p;
    for (; q < end && is_digit(*q, 10); q++)
        if (out.exponent < exponent_limit) out.exponent = out.exponent * 10 + (*q - '0');
    if (negative) out.exponent = -out.exponent;
    return q;
}

/* Take [p, end) apart, as far as it is a number that begins with a digit or a point. */
void take_apart(number_parts &out, const char *p, const char *end, int base)
{
    bool fraction = false;
    for (; p < end && (is_digit(*p, base) || (*p == '.' && !fraction)); p++) {
        if (*p == '.')
            fraction = true;
        else
            take_digit(out, *p, fraction);
    }
    out.end = take_exponent(out, p, end, base);
}

/* What a hexadecimal number out of range stands for: infinity or zero, by its first digit. */
double beyond_range(const number_parts &number)
{
    const int64_t magnitude = number.exponent + 4 * (number.scale + number.count);
    return magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/* The same number with the exponent letter that fast_float knows. */
double with_letter_e(const number_parts &number)
{
    char text[significant_max + 32] = "0";
    char *p = text + (number.count == 0);
    for (int i = 0; i < number.count; i++) *p++ = number.digits[i];
    *p++ = 'e';
    p = std::to_chars(p, text + sizeof text, number.exponent + number.scale).ptr;

    double value = 0.0;
    fast_float::from_chars(text, p, value);
    return value;
}

/* Hexadecimal digits, after 0x. */
const char *parse_hexadecimal(const char *p, const char *end, double *value)
{
    if (p == end || (!is_digit(*p, 16) && *p != '.')) return nullptr;
    std::from_chars_result read = std::from_chars(p, end, *value, std::chars_format::hex);
    if (read.ec == std::errc::invalid_argument) return nullptr;
    if (read.ec == std::errc::result_out_of_range) {
        number_parts number;
        take_apart(number, p, end, 16);
        *value = beyond_range(number);
    }
    return read.ptr;
}

/* A number beyond the range of double is read as infinity or 0. */
const char *parse_decimal(const char *p, const char *end, double *value)
{
    const fast_float::from_chars_result read = fast_float::from_chars(p, end, *value);
    if (read.ec == std::errc::invalid_argument) return nullptr;
    bool fortran = read.ptr < end && (*read.ptr | 0x20) == 'd' && (is_digit(*p, 10) || *p == '.');
    if (!fortran) return read.ptr;

    number_parts number;
    take_apart(number, p, end, 10);
    if (number.end > read.ptr) *value = with_letter_e(number);
    return number.end > read.ptr ? number.end : read.ptr;
}

} // namespace

static_assert(fast_float::binary_format<double>::smallest_power_of_ten() == SPMV__TEN_MIN);
const uint64_t *const spmv__powers_of_five = fast_float::powers::power_of_five_128;

extern "C" const char *spmv__parse_number(const char *p, const char *end, double *value)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || *p == '-') return nullptr;

    const char *rest = nullptr;
    double magnitude = 0.0;
    if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
        rest = parse_hexadecimal(p + 2, end, &magnitude);
    if (rest == nullptr) rest = parse_decimal(p, end, &magnitude);
    if (rest != nullptr) *value = negative ? -magnitude : magnitude;
    return rest;
}

extern "C" bool spmv__number_vanishes(const char *p, const char *end, double value)
{
    if (value != 0) return false;
    if (p < end && (*p == '-' || *p == '+')) p++;
    const bool hexadecimal = end - p > 1 && (p[1] | 0x20) == 'x';
    number_parts parts;
    take_apart(parts, hexadecimal ? p + 2 : p, end, hexadecimal ? 16 : 10);
    return parts.count > 0;
}
