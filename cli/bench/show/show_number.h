/* show_number.h -- numbers for people, into text: "-" where there is none. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Room for a number in text, or a few with words between. */
enum { BENCH_TEXT = 96 };

const char *bench_show_time(double seconds, char text[BENCH_TEXT]);     /* "412.3 us" */
const char *bench_show_count(int64_t n, char text[BENCH_TEXT]);         /* "1,643,032" */
const char *bench_show_rate(double n, char text[BENCH_TEXT]);           /* "7.97", "1250" */
const char *bench_show_gigabytes(double bytes, char text[BENCH_TEXT]);  /* as a rate, in GB */
const char *bench_show_bytes(double bytes, char text[BENCH_TEXT]);      /* "13.4 MB" */
const char *bench_show_percent(double share, char text[BENCH_TEXT]);    /* "86%" */
const char *bench_show_ratio(double ratio, char text[BENCH_TEXT]);      /* "1.62" */
const char *bench_show_whole(double n, char text[BENCH_TEXT]);          /* as a count */
const char *bench_show_equal(double equal, char text[BENCH_TEXT]);      /* "equal", "differ" */
const char *bench_show_break_even(double times, char text[BENCH_TEXT]); /* "12 x", "never" */

/* A text of a file for the terminal, see tool_print_visible, and as many blanks as it leaves. */
void bench_print_padded(const char *text, int columns, FILE *out);
