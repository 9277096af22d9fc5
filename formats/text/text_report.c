/* text_report.c -- from places in the text to lines and columns, and to the caller. */
#include "formats/text/text.h"

/* 1-based line of a place and 1-based byte in that line; the text is walked from its start. */
static void locate(const spmv__source *src, const unsigned char *place, int64_t *line,
                   int64_t *column)
{
    const unsigned char *start = src->data;
    *line = 1;
    for (const unsigned char *p = src->data; p < place; p++) {
        bool ends = *p == '\n' || (*p == '\r' && (p + 1 == src->data + src->size || p[1] != '\n'));
        if (!ends) continue;
        ++*line;
        start = p + 1;
    }
    *column = place - start + 1;
}

spmv_status spmv__text_report_fault(const spmv__source *src, const spmv__text *text,
                                    spmv_error *err)
{
    int64_t line, column;
    if (err == NULL) return text->status;
    locate(src, text->place, &line, &column);
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
            SPMV__TRY(spmv__warn(src, options, line, column, err, "%s (%lld times, first here)",
                                 sentences[i], (long long)text->count[i]));
    }
done:
    return st;
}
