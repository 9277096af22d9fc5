/* number_text.c -- numbers for people: in few digits, and in the unit that fits. */
#include "cli/text/number_text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *tool_count_text(int64_t n, char text[TOOL_NUMBER])
{
    char digits[TOOL_NUMBER];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, n);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-') *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/* ---- Units ---------------------------------------------------------------------------------- */

typedef struct number_unit {
    double size;
    const char *name;
} number_unit;

/* Four digits of a number, three of one below 0.1, and its unit. */
static const char *scale(double value, const number_unit *units, int count, char text[TOOL_NUMBER])
{
    int i = 0;
    if (!isfinite(value)) return strcpy(text, "-");
    while (i + 1 < count && value < 0.99995 * units[i].size) i++;
    const double scaled = value / units[i].size;
    if (scaled < 0.09995) {
        snprintf(text, TOOL_NUMBER, "%.3g%s", scaled, units[i].name);
        return text;
    }
    const int before = scaled >= 999.95 ? 4 : scaled >= 99.995 ? 3 : scaled >= 9.9995 ? 2 : 1;
    snprintf(text, TOOL_NUMBER, "%.*f%s", 4 - before, scaled, units[i].name);
    return text;
}

/* Says whether the locale of the user, which nothing else here depends on, writes in UTF-8.  The
 * system reads a file to answer, and is asked once. */
static bool is_utf8_read(void)
{
    static bool asked, utf8;
    if (asked) return utf8;
    const locale_t own = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    utf8 = own != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, own), "UTF-8") == 0;
    if (own != (locale_t)0) freelocale(own);
    asked = true;
    return utf8;
}

const char *tool_time_text(double seconds, char text[TOOL_NUMBER])
{
    const number_unit units[] = {
        {1, " s"}, {1e-3, " ms"}, {1e-6, is_utf8_read() ? " \xc2\xb5s" : " us"}, {1e-9, " ns"}};
    return scale(seconds, units, sizeof units / sizeof units[0], text);
}

const char *tool_bytes_text(double bytes, char text[TOOL_NUMBER])
{
    static const number_unit units[] = {{1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}};
    if (!(bytes < 999.5)) return scale(bytes, units, sizeof units / sizeof units[0], text);
    snprintf(text, TOOL_NUMBER, "%.0f B", bytes);
    return text;
}

const char *tool_number_text(double n, char text[TOOL_NUMBER])
{
    static const number_unit units[] = {{1, ""}};
    return scale(n, units, 1, text);
}

/* ---- Durations ------------------------------------------------------------------------------ */

const char *tool_duration_text(double seconds, char text[TOOL_NUMBER])
{
    const double whole = round(seconds);
    if (whole < 60)
        snprintf(text, TOOL_NUMBER, "%.0f s", whole);
    else if (whole < 600)
        snprintf(text, TOOL_NUMBER, "%d min %d s", (int)whole / 60, (int)whole % 60);
    else if (whole < 3570)
        snprintf(text, TOOL_NUMBER, "%.0f min", whole / 60);
    else
        snprintf(text, TOOL_NUMBER, "%.1f h", seconds / 3600);
    return text;
}
