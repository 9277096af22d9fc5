/* show_number.h -- numbers of measurements for people, as number_text.h has all others. */
#pragma once

#include "cli/text/number_text.h"

#include <stdio.h>

/* Room for a number in text, or a few with words between. */
enum { BENCH_TEXT = 96 };

const char *bench_show_gigabytes(double bytes, char text[BENCH_TEXT]);  /* as a rate, in GB */
const char *bench_show_percent(double share, char text[BENCH_TEXT]);    /* "86%" */
const char *bench_show_ratio(double ratio, char text[BENCH_TEXT]);      /* "1.62" */
const char *bench_show_whole(double n, char text[BENCH_TEXT]);          /* as a count */
const char *bench_show_equal(double equal, char text[BENCH_TEXT]);      /* "equal", "differ" */
const char *bench_show_break_even(double times, char text[BENCH_TEXT]); /* "12 x", "never" */

/* A text of a file for the terminal, see tool_print_visible, and as many blanks as it leaves. */
void bench_print_padded(const char *text, int columns, FILE *out);
void bench_print_right(const char *text, int columns, FILE *out); /* the blanks first */
