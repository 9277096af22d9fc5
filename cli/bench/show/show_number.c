/* show_number.c -- numbers for people: times, rates and counts in few digits. */
#include "cli/bench/show/show_number.h"
#include "cli/tool/count_text.h"
#include "cli/tool/message.h"
#include "cli/tool/utf8.h"

#include <math.h>
#include <string.h>

typedef struct number_unit {
    double size;
    const char *name;
} number_unit;

/* Four digits of a number, three of one below 0.1, and its unit. */
static const char *show(double value, const number_unit *units, int count, char text[BENCH_TEXT])
{
    int i = 0;
    if (!isfinite(value)) return "-";
    while (i + 1 < count && value < 0.99995 * units[i].size) i++;
    const double scaled = value / units[i].size;
    if (value > 0 && scaled < 0.09995) {
        snprintf(text, BENCH_TEXT, "%.3g%s", scaled, units[i].name);
        return text;
    }
    const int before = scaled >= 999.95 ? 4 : scaled >= 99.995 ? 3 : scaled >= 9.9995 ? 2 : 1;
    snprintf(text, BENCH_TEXT, "%.*f%s", 4 - before, scaled, units[i].name);
    return text;
}

const char *bench_show_time(double seconds, char text[BENCH_TEXT])
{
    static const number_unit units[] = {{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}};
    return show(seconds, units, sizeof units / sizeof units[0], text);
}

const char *bench_show_bytes(double bytes, char text[BENCH_TEXT])
{
    static const number_unit units[] = {{1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {1, " B"}};
    return show(bytes, units, sizeof units / sizeof units[0], text);
}

const char *bench_show_rate(double n, char text[BENCH_TEXT])
{
    static const number_unit units[] = {{1, ""}};
    return show(n, units, 1, text);
}

const char *bench_show_gigabytes(double bytes, char text[BENCH_TEXT])
{
    return bench_show_rate(bytes * 1e-9, text);
}

const char *bench_show_ratio(double ratio, char text[BENCH_TEXT])
{
    if (!isfinite(ratio)) return "-";
    snprintf(text, BENCH_TEXT, "%.2f", ratio);
    return text;
}

const char *bench_show_break_even(double times, char text[BENCH_TEXT])
{
    if (!isfinite(times)) return "never";
    if (times == 0) return "at once";
    snprintf(text, BENCH_TEXT, "%.0f x", times);
    return text;
}

const char *bench_show_percent(double share, char text[BENCH_TEXT])
{
    if (!isfinite(share)) return "-";
    snprintf(text, BENCH_TEXT, "%.*f%%", share < 0.0995 ? 1 : 0, share * 100);
    return text;
}

const char *bench_show_count(int64_t n, char text[BENCH_TEXT])
{
    return tool_count_text(n, text);
}

const char *bench_show_whole(double n, char text[BENCH_TEXT])
{
    return fabs(n) < 9e18 ? bench_show_count((int64_t)n, text) : "-";
}

const char *bench_show_equal(double equal, char text[BENCH_TEXT])
{
    snprintf(text, BENCH_TEXT, "%s", isnan(equal) ? "-" : equal != 0 ? "equal" : "differ");
    return text;
}

void bench_print_padded(const char *text, int columns, FILE *out)
{
    const int rest = columns - utf8_columns(text);
    tool_print_visible(text, out);
    fprintf(out, "%*s", rest > 0 ? rest : 0, "");
}
