/* show_number.c -- numbers of measurements for people. */
#include "cli/bench/show/show_number.h"
#include "cli/tool/message.h"
#include "cli/text/utf8.h"

#include <math.h>

const char *bench_show_gigabytes(double bytes, char text[BENCH_TEXT])
{
    return tool_number_text(bytes * 1e-9, text);
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

const char *bench_show_whole(double n, char text[BENCH_TEXT])
{
    if (!(fabs(n) < 9e18)) return "-";
    if (n == trunc(n)) return tool_count_text((int64_t)n, text);
    snprintf(text, BENCH_TEXT, "%.1f", n); /* a mean */
    return text;
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

void bench_print_right(const char *text, int columns, FILE *out)
{
    const int rest = columns - utf8_columns(text);
    fprintf(out, "%*s", rest > 0 ? rest : 0, "");
    tool_print_visible(text, out);
}
