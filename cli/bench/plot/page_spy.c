/* page_spy.c -- see page_spy.h.
 *
 * A picture takes at most 35 KB of the page, and half of those of real matrices 3 KB at most:
 * neighbours of one colour are one rectangle. */
#include "cli/bench/plot/page_spy.h"
#include "cli/picture/spy.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS = 48,    /* along a side, at most */
    SIDE = 96,      /* pixels */
    LEAST_SIDE = 12 /* of a matrix that is very long */
};

spmv_status page_spy_record(report *record, const spmv_matrix *A, spmv_error *err)
{
    char levels[BLOCKS * BLOCKS + 1];
    spy_picture p;
    const spmv_status st = spy_count(&p, A, BLOCKS, err);
    if (st == SPMV_SUCCESS) {
        report *spy = report_object(record, "spy");
        spy_list_levels(&p, levels);
        report_integer(spy, "rows", p.height);
        report_integer(spy, "cols", p.width);
        report_text(spy, "levels", levels);
    }
    free(p.count);
    return st;
}

/* Blocks and levels as page_spy_record puts them: a file of results may hold anything. */
static bool is_sound(int64_t rows, int64_t cols, const char *levels)
{
    if (rows < 1 || rows > BLOCKS || cols < 1 || cols > BLOCKS) return false;
    const size_t blocks = (size_t)(rows * cols);
    return strlen(levels) == blocks && strspn(levels, "012345678") == blocks;
}

static int pixels(int64_t blocks, int64_t longer)
{
    const int size = (int)(blocks * (SIDE / longer));
    return size > LEAST_SIDE ? size : LEAST_SIDE;
}

void page_spy_write(const bench_results *all, const bench_result *r, FILE *out)
{
    const char *levels = "";
    int64_t rows = 0, cols = 0;
    for (int i = 0; i < all->count && !is_sound(rows, cols, levels); i++) {
        if (!bench_result_one_matrix(&all->item[i], r)) continue;
        rows = report_integer_at(all->item[i].record, "spy.rows");
        cols = report_integer_at(all->item[i].record, "spy.cols");
        levels = report_text_at(all->item[i].record, "spy.levels");
    }
    if (!is_sound(rows, cols, levels)) return;
    const int64_t longer = rows > cols ? rows : cols;
    fprintf(out,
            "<svg class=\"spy\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "preserveAspectRatio=\"none\" role=\"img\"><title>where the entries are</title>\n",
            pixels(cols, longer), pixels(rows, longer), (int)cols, (int)rows);
    spy_write_blocks(levels, rows, cols, false, out);
    fputs("</svg>\n", out);
}

void page_spy_style(FILE *out)
{
    char text[SPY_STYLE];
    fprintf(out,
            ".m{display:flex;align-items:center;gap:1em;margin-top:1.6em}.m h3{margin:0 0 .3em}"
            ".spy{flex:none;outline:1px solid #d0d7de;shape-rendering:crispEdges}%s",
            spy_style(false, text));
    fprintf(out, "@media(prefers-color-scheme:dark){.spy{outline-color:#2b323b}%s}",
            spy_style(true, text));
}
