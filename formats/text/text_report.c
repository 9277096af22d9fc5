/* text_report.c -- from places in the text to lines and columns, and to the caller. */
#include "formats/text/text.h"

enum { STRETCH = 1 << 20 }; /* bytes that a thread looks through at a time */
enum { BYTE_SUM = 240 };    /* of them, in which line ends are counted by a byte: many at once */

int64_t spmv__text_count_ends(const unsigned char *p, const unsigned char *end,
                              const unsigned char *text_end)
{
    int64_t n = 0;
    const unsigned char *before = end < text_end ? end : end - 1; /* with a byte after it */
    while (p < before) {
        const unsigned char *stop = before - p > BYTE_SUM ? p + BYTE_SUM : before;
        unsigned char sum = 0;
        for (; p < stop; p++)
            sum = (unsigned char)(sum + ((*p == '\n') | ((*p == '\r') & (p[1] != '\n'))));
        n += sum;
    }
    return n + (p < end && (*p == '\n' || *p == '\r'));
}

/* 1-based line of a place and 1-based byte in that line. */
static void locate(const spmv__source *src, const unsigned char *place, int64_t *line,
                   int64_t *column)
{
    const unsigned char *data = src->data, *end = data + src->size, *start = place;
    const int64_t stretches = (place - data + STRETCH - 1) / STRETCH;
    int64_t n = 1;
#pragma omp parallel for reduction(+ : n) num_threads(spmv__threads(0)) if (stretches > 8)
    for (int64_t s = 0; s < stretches; s++) {
        const unsigned char *p = data + s * STRETCH;
        n += spmv__text_count_ends(p, place - p > STRETCH ? p + STRETCH : place, end);
    }
    while (start > data && spmv__text_count_ends(start - 1, start, end) == 0) start--;
    *line = n;
    *column = place - start + 1;
}

spmv_status spmv__text_report_fault(const spmv__source *src, const spmv__text *text,
                                    spmv_error *err)
{
    int64_t line = 0, column = 0;
    if (err == NULL) return text->status;
    if (text->place != NULL) locate(src, text->place, &line, &column);
    return spmv__source_fail(src, err, text->status, line, column, "%s", text->message);
}

/* The oddity that stands first in the file among those not yet told; SPMV__ODDITIES: none. */
static int next_oddity(const spmv__text *text, const bool told[SPMV__ODDITIES])
{
    int next = SPMV__ODDITIES;
    for (int i = 0; i < SPMV__ODDITIES; i++) {
        if (text->count[i] == 0 || told[i]) continue;
        if (next == SPMV__ODDITIES || text->first[i] < text->first[next]) next = i;
    }
    return next;
}

/* Whether the place that is kept is the first in the file: of entries that are repeated it is that
 * of the first in the order of the matrix. */
static bool is_first(int oddity)
{
    return oddity < SPMV__ODD_DUPLICATE_SUM;
}

spmv_status spmv__text_report_oddities(const spmv__source *src, const spmv__text *text,
                                       const spmv_read_options *options, spmv_error *err)
{
    static const char *const sentences[] = {
#define X(name, sentence) sentence,
        SPMV__ODDITY_TABLE(X)
#undef X
    };
    bool told[SPMV__ODDITIES] = {false};
    spmv_status st = SPMV_SUCCESS;

    if (!options->strict && options->warn == NULL) return SPMV_SUCCESS;
    for (;;) {
        int64_t line, column;
        int i = next_oddity(text, told);
        if (i == SPMV__ODDITIES) break;
        told[i] = true;
        locate(src, text->first[i], &line, &column);
        if (text->count[i] == 1)
            SPMV__TRY(spmv__warn(src, options, line, column, err, "%s", sentences[i]));
        else
            SPMV__TRY(spmv__warn(src, options, line, column, err, "%s (%lld times, %s here)",
                                 sentences[i], (long long)text->count[i],
                                 is_first(i) ? "first" : "also"));
    }
done:
    return st;
}
