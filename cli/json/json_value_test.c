/* json_value_test.c -- what is put into a record comes back bit by bit; what JSON cannot hold is
 * said.
 */
#include "cli/json/json_value.h"
#include "cli/text/utf8.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write the record to a file and return its text. */
static char *text_of(const report *r)
{
    char path[] = "/tmp/spmv-report-XXXXXX", *text = calloc(1, 65536);
    close(mkstemp(path));
    unlink(path); /* only the name was wanted: an existing file is not replaced */
    cr_assert_eq(report_write(r, path, false, NULL), SPMV_SUCCESS);
    FILE *f = fopen(path, "r");
    cr_assert_gt(fread(text, 1, 65535, f), 0);
    fclose(f);
    unlink(path);
    return text;
}

static void expect(const char *text, const char *line)
{
    cr_assert_not_null(strstr(text, line), "%s is not in %s", line, text);
}

/* splitmix64, so that every bit pattern of a double turns up. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Reals are read back by strtod to the same bits. */
Test(report, reals_are_exact)
{
    static const double odd[] = {0.0,     -0.0,
                                 0.1,     0.1 + 0.2,
                                 1.0 / 3, 5e-324,
                                 1e-308,  1.7976931348623157e308,
                                 1e22,    123456789012345678.0};
    enum { ODD = sizeof odd / sizeof odd[0], CASES = 1000 };
    uint64_t state = 14;
    double value[CASES];
    report *r = report_create(), *all = report_array(r, "v");
    for (int i = 0; i < CASES; i++) {
        do {
            const uint64_t bits = next(&state);
            memcpy(&value[i], &bits, sizeof bits);
        } while (!isfinite(value[i]));
        if (i < ODD) value[i] = odd[i];
        report_real(all, NULL, value[i]);
    }
    char *text = text_of(r), *p = strchr(text, '[') + 1;
    for (int i = 0; i < CASES; i++) {
        const double back = strtod(p, &p);
        cr_assert_eq(memcmp(&back, &value[i], sizeof back), 0, "seed 14, number %d: %a, not %a", i,
                     back, value[i]);
        p += strspn(p, ", ]");
    }
    free(text);
    report_destroy(r);
}

Test(report, nan_and_infinity_are_null_with_an_error)
{
    report *r = report_create(), *o = report_object(r, "o");
    report_real(r, "speed", NAN);
    report_real(o, "ratio", -INFINITY);
    char *text = text_of(r);
    expect(text, "\"speed\":\tnull");
    expect(text, "\"error\":\t\"speed is NaN\"");
    expect(text, "\"ratio\":\tnull");
    expect(text, "\"error\":\t\"ratio is minus infinite\"");
    free(text);
    report_destroy(r);
}

Test(report, large_integers_are_strings)
{
    report *r = report_create();
    report_integer(r, "exact", 9007199254740992);
    report_integer(r, "above", 9007199254740993);
    report_integer(r, "least", INT64_MIN);
    char *text = text_of(r);
    expect(text, "\"exact\":\t9007199254740992");
    expect(text, "\"above\":\t\"9007199254740993\"");
    expect(text, "\"least\":\t\"-9223372036854775808\"");
    free(text);
    report_destroy(r);
}

Test(report, broken_utf8_becomes_the_replacement_character)
{
    report *r = report_create();
    report_text(r, "name", "gr\xfc\xc3\xbc\xed\xa0\x80.mtx");
    report_text(r, "quoted", "a\"b\\c\nd");
    report_text(r, "none", NULL);
    char *text = text_of(r);
    expect(text, "\"name\":\t\"gr\xef\xbf\xbd\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.mtx\"");
    expect(text, "\"quoted\":\t\"a\\\"b\\\\c\\nd\"");
    expect(text, "\"none\":\tnull");
    free(text);
    report_destroy(r);
}

Test(utf8, lengths_of_valid_and_broken_characters)
{
    static const struct {
        const char *text;
        int length;
        unsigned number;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xc3\xbc", 2, 0xfc},
        {"\xe2\x82\xac", 3, 0x20ac},
        {"\xf0\x9f\x90\x9f", 4, 0x1f41f},
        {"\x80", 0, 0},
        {"\xff", 0, 0},
        {"\xc3", 0, 0},
        {"\xc0\xaf", 0, 0},
        {"\xe0\x80\xaf", 0, 0},
        {"\xed\xa0\x80", 0, 0},
        {"\xf4\x90\x80\x80", 0, 0},
        {"\xf8\x88\x80\x80\x80", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(utf8_length(cases[i].text), cases[i].length, "case %zu", i);
        if (cases[i].length > 0)
            cr_assert_eq(utf8_decode(cases[i].text, cases[i].length), cases[i].number, "case %zu",
                         i);
    }
}
