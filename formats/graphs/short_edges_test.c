/* short_edges_test.c -- lines of two short ids are read as sscanf reads them, and no other line is.
 */
#include "formats/graphs/short_edges.h"
#include "core/base/random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 400, TEXT = 1 << 15, NEAR_END = 72 };

static uint64_t drawn;

static uint64_t draw(uint64_t seed, uint64_t below)
{
    return spmv__mix(spmv__mix(seed) ^ drawn++) % below;
}

/* Zeros before it make an id odd. */
static int write_id(char *p, uint64_t seed, int most_digits, bool odd)
{
    char format[16];
    uint64_t below = 10;
    for (uint64_t k = draw(seed, (uint64_t)most_digits); k > 0; k--) below *= 10;
    snprintf(format, sizeof format, "%%0%d" PRIu64, odd && draw(seed, 9) == 0 ? most_digits : 1);
    return sprintf(p, format, draw(seed, below));
}

/* A line that is not of two short ids, or has another separator, or an id below the base. */
static int write_other_line(char *p, uint64_t seed)
{
    static const char *const lines[] = {
        "123456789 5\n", "5 123456789\n", "1  2\n",  " 1 2\n",  "1 2 \n", "1 2\r\n",
        "# 1 2\n",       "1\n",           "\n",      "1 2 3\n", "-1 2\n", "1 2.5\n",
        "1;2\n",         "0 0\n",         "1, 2\n",  "1\t2\n",  "1,2\n",  "1 2\n",
        "1\n2\n3\n",     "7 x\n",         "\xff 1\n"};
    return sprintf(p, "%s", lines[draw(seed, sizeof lines / sizeof lines[0])]);
}

/* Text with odd lines among the others, or none; returns its bytes. */
static int64_t write_text(char *text, uint64_t seed, bool odd, char between)
{
    char *p = text;
    for (int k = 0; k < LINES; k++) {
        if (odd && draw(seed, 10) == 0) {
            p += write_other_line(p, seed);
            continue;
        }
        p += write_id(p, seed, 8, odd);
        *p++ = between;
        p += write_id(p, seed, 8, odd);
        *p++ = '\n';
    }
    return p - text;
}

/* The line at p: two integers of at most eight digits without zeros before them, not below the
 * base, with one byte between. */
static bool read_naively(const char *p, int64_t base, int64_t ids[2])
{
    char between, behind;
    int at = 0, end = 0;
    if (*p < '0' || *p > '9') return false;
    if (sscanf(p, "%" SCNd64 "%n%c%n", &ids[0], &at, &between, &end) != 2) return false;
    if (between != ' ' && between != '\t' && between != ',') return false;
    if (p[end] < '0' || p[end] > '9') return false;
    const int first = at, begin = end;
    if (sscanf(p + begin, "%" SCNd64 "%n%c", &ids[1], &at, &behind) != 2) return false;
    ids[0] -= base;
    ids[1] -= base;
    if ((p[0] == '0' && first > 1) || (p[begin] == '0' && at > 1)) return false;
    return behind == '\n' && first <= 8 && at <= 8 && ids[0] >= 0 && ids[1] >= 0;
}

/* Compare what was read from `from` on with the naive reader; *extent grows. */
static void assert_read(const char *from, const char *to, int64_t base, const spmv__edge_ids *edge,
                        int64_t n, spmv__edges_extent *extent, uint64_t seed)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t ids[2];
        cr_assert_lt(from, to, "seed %" PRIu64 ": more edges than lines", seed);
        cr_assert(read_naively(from, base, ids), "seed %" PRIu64 ": %.20s", seed, from);
        cr_assert_eq(edge[k].row, ids[0], "seed %" PRIu64 ": %.20s", seed, from);
        cr_assert_eq(edge[k].col, ids[1], "seed %" PRIu64 ": %.20s", seed, from);
        for (int i = 0; i < 2; i++)
            if (ids[i] < extent->smallest) extent->smallest = ids[i];
        if (ids[0] >= extent->rows) extent->rows = ids[0] + 1;
        if (ids[1] >= extent->cols) extent->cols = ids[1] + 1;
        extent->loops += ids[0] == ids[1];
        from = strchr(from, '\n') + 1;
    }
    cr_assert_eq(from, to, "seed %" PRIu64 ": a line was left out", seed);
}

/* Read all of a text, where each call goes on behind the line that the one before did not take;
 * returns how many lines were not. */
static int read_all(const char *text, int64_t size, int64_t base, uint64_t seed)
{
    static spmv__edge_ids edge[TEXT];
    const spmv__edges_header header = {.base = base, .columns = 2};
    spmv__edges_extent extent = {.smallest = INT64_MAX}, expected = extent;
    const char *end = text + size;
    int64_t n = 0;
    int left = 0;
    for (const char *p = text; p < end; left++) {
        const int64_t before = n;
        const char *next = (const char *)spmv__short_edges_read(
            (const unsigned char *)p, (const unsigned char *)end, &header, ',', edge, &n, &extent);
        assert_read(p, next, base, edge + before, n - before, &expected, seed);
        p = next < end ? strchr(next, '\n') + 1 : end;
    }
    cr_assert_eq(extent.rows, expected.rows, "seed %" PRIu64, seed);
    cr_assert_eq(extent.cols, expected.cols, "seed %" PRIu64, seed);
    cr_assert_eq(extent.smallest, expected.smallest, "seed %" PRIu64, seed);
    cr_assert_eq(extent.loops, expected.loops, "seed %" PRIu64, seed);
    return left;
}

static bool has_short_edges(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

Test(short_edges, lines_are_read_as_sscanf_reads_them)
{
    for (uint64_t seed = 0; seed < 600; seed++) {
        const bool odd = seed % 3 > 0;
        char *text = malloc(TEXT);
        drawn = 0;
        const int64_t size = write_text(text, seed, odd, " \t,"[seed % 7 % 3]);
        text = realloc(text, (size_t)size + 1); /* so that nothing beyond it is looked at */
        text[size] = '\0';
        const int left = read_all(text, size, (int64_t)(odd ? seed / 3 % 2 : 0), seed);
        if (has_short_edges() && !odd)
            cr_assert_lt(left, NEAR_END / 4 + 1, "seed %" PRIu64 ": usual lines were left", seed);
        free(text);
    }
}
