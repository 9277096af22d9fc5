/* number_test.c -- numbers as text: correctly rounded in, shortest and exact out, in any locale. */
#include "core/base/random.h"
#include "formats/text/locale_test.h"
#include "formats/text/number.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is read from the start of the text; *used bytes of it, -1 when there is no number. */
static double parse(const char *text, int *used)
{
    double value = -77;
    size_t size = strlen(text);
    char *exact = malloc(size > 0 ? size : 1); /* no terminator: a sanitizer sees reads beyond it */
    memcpy(exact, text, size);
    const char *end = spmv__parse_number(exact, exact + size, &value);
    *used = end == NULL ? -1 : (int)(end - exact);
    free(exact);
    return value;
}

static const struct {
    const char *text;
    double value;
    int used;
} readings[] = {
    {"0", 0, 1},
    {"-0.0", -0.0, 4},
    {"+1.5", 1.5, 4},
    {"1.", 1, 2},
    {".5", 0.5, 2},
    {"-.5e+1", -5, 6},
    {"1e5", 1e5, 3},
    {"1E-5", 1e-5, 4},
    {"1.5D+02", 150, 7},
    {"-2d0", -2, 4},
    {".5d1", 5, 4},
    {"0d5", 0, 3},
    {"1d400", HUGE_VAL, 5},
    {"1d-400", 0, 6},
    {"4.9d-324", 0x1p-1074, 8},
    {"1.7976931348623157D308", 0x1.fffffffffffffp1023, 22},
    {"1e400", HUGE_VAL, 5},
    {"-1e400", -HUGE_VAL, 6},
    {"1e-400", 0, 6},
    {"0.0000001e400", HUGE_VAL, 13},
    {"10000000e-400", 0, 13},
    {"1e99999999999999999999", HUGE_VAL, 22},
    {"1e-99999999999999999999", 0, 23},
    {"0e99999999999999999999", 0, 22},
    {"1.7976931348623159e308", HUGE_VAL, 22},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022, 23},
    {"inf", HUGE_VAL, 3},
    {"-Infinity", -HUGE_VAL, 9},
    {"+INF", HUGE_VAL, 4},
    {"0x1.8p1", 3, 7},
    {"-0X1P-1", -0.5, 7},
    {"0x.8", 0.5, 4},
    {"0xA", 10, 3},
    {"0x1p1024", HUGE_VAL, 8},
    {"0x1p-1074", 0x1p-1074, 9},
    {"0x1p-1080", 0, 9},
    {"0x10000000000000000000000p1020", HUGE_VAL, 30},
    {"0x0.00000000001p-1060", 0, 21},
    {"0x1.fffffffffffff8p0", 2, 20},
    {"1e", 1, 1},       /* what is left over is the caller's concern */
    {"1.5abc", 1.5, 3}, /* so it is here */
    {"1d", 1, 1},
    {"1d+", 1, 1},
    {"1e5d3", 1e5, 3},
    {"1,5", 1, 1},
    {"0x", 0, 1},
    {"0xg", 0, 1},
    {"0x-1", 0, 1},
    {"0x.", 0, 1},
    {"1.5.5", 1.5, 3},
    {"infd3", HUGE_VAL, 3},
};

Test(number, read)
{
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        int used;
        double value = parse(readings[i].text, &used);
        cr_assert_eq(used, readings[i].used, "%d bytes of %s", used, readings[i].text);
        cr_assert_eq(memcmp(&value, &readings[i].value, sizeof value), 0, "%s is %a",
                     readings[i].text, value);
    }
}

Test(number, read_nan_and_what_is_no_number)
{
    static const char *const none[] = {"",    "+",   "-",   ".",  "e5", "--1",
                                       "+-1", "-+1", "abc", "d5", " 1"};
    int used;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        double value = parse(none[i], &used);
        cr_assert_eq(used, -1, "'%s'", none[i]);
        cr_assert_eq(value, -77, "'%s' left a value", none[i]);
    }
    cr_assert(isnan(parse("nan", &used)) && used == 3);
    cr_assert(isnan(parse("NaN", &used)) && !signbit(parse("NaN", &used)));
    cr_assert(isnan(parse("-nan", &used)) && signbit(parse("-nan", &used)));
}

/* 2^-1 + 2^-54, half way between two doubles, in all its digits; then `zeros` more and a tail. */
static double tie(int zeros, const char *tail)
{
    static const char digits[] = "0.500000000000000055511151231257827021181583404541015625";
    char *text = calloc(sizeof digits + (size_t)zeros + strlen(tail), 1);
    int used;
    strcpy(text, digits);
    memset(text + strlen(digits), '0', (size_t)zeros);
    strcpy(text + strlen(digits) + zeros, tail);
    double value = parse(text, &used);
    cr_assert_eq(used, (int)strlen(text));
    free(text);
    return value;
}

Test(number, a_tie_is_broken_by_a_digit_however_far_behind)
{
    static const int zeros[] = {0, 1, 700, 714, 715, 716, 717, 718, 719, 5000};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        cr_assert_eq(tie(zeros[i], ""), 0x1p-1, "%d zeros", zeros[i]);
        cr_assert_eq(tie(zeros[i], "1"), 0x1.0000000000001p-1, "%d zeros", zeros[i]);
        cr_assert_eq(tie(zeros[i], "d0"), 0x1p-1, "%d zeros", zeros[i]);
        cr_assert_eq(tie(zeros[i], "1d0"), 0x1.0000000000001p-1, "%d zeros", zeros[i]);
        cr_assert_eq(tie(zeros[i], "0001d1"), 0x1.4000000000001p2, "%d zeros", zeros[i]);
    }
}

Test(number, digits_before_the_point_beyond_all_that_count)
{
    char text[4000];
    int used;
    memset(text, '7', sizeof text);
    snprintf(text + 3000, 100, "d-3000");
    cr_assert_eq(parse(text, &used), 0x1.8e38e38e38e39p-1);
    cr_assert_eq(used, 3006);
}

/* ---- There and back ------------------------------------------------------------------------- */

static const char *format(double value, spmv_type type)
{
    static char text[SPMV__NUMBER_SIZE + 1];
    text[spmv__format_number(text, value, type)] = '\0';
    return text;
}

Test(number, written_in_the_shortest_form)
{
    cr_assert_str_eq(format(0.1, SPMV_F64), "0.1");
    cr_assert_str_eq(format((double)0.1f, SPMV_F32), "0.1");
    cr_assert_str_eq(format((double)0.1f, SPMV_F64), "0.10000000149011612");
    cr_assert_str_eq(format(-0.0, SPMV_F64), "-0");
    cr_assert_str_eq(format(1e22, SPMV_F64), "1e+22");
    cr_assert_str_eq(format(0x1p-1074, SPMV_F64), "5e-324");
    cr_assert_str_eq(format(HUGE_VAL, SPMV_F32), "inf");
    cr_assert_str_eq(format(-HUGE_VAL, SPMV_F64), "-inf");
    cr_assert_str_eq(format((double)NAN, SPMV_F64), "nan");
    cr_assert_str_eq(format((double)-NAN, SPMV_F64), "-nan");
}

/* As a fraction or with an exponent, whichever is shorter; a fraction when both are. */
Test(number, written_in_the_shorter_of_two_ways)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1, "1"},
        {1e4, "10000"},
        {1e5, "1e+05"},
        {123e5, "12300000"},
        {12e6, "1.2e+07"},
        {0.001, "0.001"},
        {-0.0001, "-1e-04"},
        {0.00012, "0.00012"},
        {0.0000123, "1.23e-05"},
        {123.456, "123.456"},
        {9007199254740994.0, "9007199254740994"},
        {-1.7976931348623157e308, "-1.7976931348623157e+308"},
        {-2.2250738585072014e-308, "-2.2250738585072014e-308"},
        {-0.00012345678901234567, "-0.00012345678901234567"},
        {1.2345678901234567e-5, "1.2345678901234568e-05"},
        {1234567890123456.7e5, "123456789012345670000"},
        {1e100, "1e+100"},
        {1e-10, "1e-10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_str_eq(format(cases[i].value, SPMV_F64), cases[i].text);
    cr_assert_str_eq(format((double)16777216.0f, SPMV_F32), "16777216");
    cr_assert_str_eq(format((double)3.4028235e38f, SPMV_F32), "3.4028235e+38");
}

static void assert_returns(double value, spmv_type type)
{
    int used;
    const char *text = format(value, type);
    double back = parse(text, &used);
    cr_assert_leq(strlen(text), SPMV__NUMBER_SIZE);
    cr_assert_eq(used, (int)strlen(text), "%s", text);
    if (type == SPMV_F32) back = (double)(float)back;
    cr_assert_eq(memcmp(&back, &value, sizeof value), 0, "%a came back from %s as %a", value, text,
                 back);
}

static double random_double(uint64_t k)
{
    uint64_t bits = spmv__mix(k);
    double value;
    if (k % 8 == 0) bits &= 0x800fffffffffffffu; /* denormal */
    memcpy(&value, &bits, sizeof value);
    return isnan(value) ? copysign((double)NAN, value) : value;
}

static float random_float(uint64_t k)
{
    uint32_t bits = (uint32_t)spmv__mix(k);
    float value;
    if (k % 8 == 0) bits &= 0x807fffffu;
    memcpy(&value, &bits, sizeof value);
    return isnan(value) ? copysignf(NAN, value) : value;
}

Test(number, random_bits_come_back)
{
    for (uint64_t k = 0; k < 20000; k++) {
        assert_returns(random_double(k), SPMV_F64);
        assert_returns((double)random_float(k), SPMV_F32);
    }
}

Test(number, limits_come_back_and_so_does_the_float_that_rounds_twice)
{
    static const double values[] = {
        0.0,      -0.0,     0x1p-1074, 0x1p-1022, 0x0.fffffffffffffp-1022, 0x1.fffffffffffffp1023,
        HUGE_VAL, -HUGE_VAL};
    static const float floats[] = {0x1p-149f, 0x1p-126f, 0x1.fffffep127f, 7.038531e-26f,
                                   -7.038531e-26f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_returns(values[i], SPMV_F64);
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        assert_returns((double)floats[i], SPMV_F32);
}

/* ---- Locale --------------------------------------------------------------------------------- */

Test(number, a_decimal_comma_changes_nothing)
{
    char comma[16];
    int used;
    locale_test_use("de_DE");
    snprintf(comma, sizeof comma, "%.1f", 1.5);
    cr_assert_str_eq(comma, "1,5");
    cr_assert_eq(parse("1.5", &used), 1.5);
    cr_assert_eq(used, 3);
    cr_assert_eq(parse("1.5d1", &used), 15);
    parse("1,5", &used);
    cr_assert_eq(used, 1);
    cr_assert_str_eq(format(1.5, SPMV_F64), "1.5");
}
