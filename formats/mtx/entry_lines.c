/* entry_lines.c -- the lines of a coordinate file: row, column, value.
 *
 * The function that reads them knows nothing of the rest of the file, so that stretches which end
 * at line ends can be read side by side. */
#include "core/matrix/value.h"
#include "formats/mtx/plain_value.h"

/* A plain line at p, stored as entry entries->n; returns its end, or NULL. */
static inline const unsigned char *plain_entry(const unsigned char *p, const unsigned char *end,
                                               spmv__mtx_entries *entries)
{
    const spmv__mtx_header *header = entries->header;
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t base = entries->options->index_base == SPMV_BASE_0 ? 0 : 1, row, col = base;

    p = spmv__plain_blanks(p, safe);
    if (p >= safe || (p = spmv__plain_index(p, &row)) == NULL) return NULL;
    if (!header->vector) {
        p = spmv__plain_blanks(p, safe);
        if (p >= safe || (p = spmv__plain_index(p, &col)) == NULL) return NULL;
    }
    row -= base; /* 0 - 1 is as far outside as can be */
    col -= base;
    if (row >= (uint64_t)header->rows || col >= (uint64_t)header->cols) return NULL;
    if (header->symmetry != SPMV_GENERAL && row <= col &&
        (row < col || header->symmetry != SPMV_SYMMETRIC))
        return NULL;

    if (header->field != SPMV__MTX_PATTERN) {
        const unsigned char *value = spmv__plain_blanks(p, safe);
        if (value >= safe || value == p) return NULL;
        p = spmv__mtx_plain_value(value, end, header->field, entries->val, entries->n);
        if (p == NULL) return NULL;
    }
    entries->row[entries->n] = (int64_t)row;
    entries->col[entries->n] = (int64_t)col;
    return spmv__plain_line_end(p, end);
}

/* An index of 1 .. extent (0 .. extent - 1), as one from base 0. */
static bool read_index(spmv__text *text, const spmv__mtx_entries *entries, const char *what,
                       int64_t extent, int64_t *out, bool *outside)
{
    int64_t base = entries->options->index_base == SPMV_BASE_0 ? 0 : 1;
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_skip_blanks(text);
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, what, out)) return false;
    if (*out >= base && *out - base < extent) {
        *out -= base;
        return true;
    }
    *outside = true;
    if (entries->options->skip_invalid) return true;
    return spmv__text_fault(text, place, "%s %s is outside %lld..%lld%s", what,
                            spmv__text_quote(quote, place, text->p), (long long)base,
                            (long long)(extent - 1 + base),
                            *out == 0 ? "; `index_base` 0 reads files that count from 0" : "");
}

/* A line that is not plain, or that is wrong; text->p stands on its first word. */
static bool careful_entry(spmv__text *text, spmv__mtx_entries *entries)
{
    const spmv__mtx_header *header = entries->header;
    int64_t row, col = 0;
    bool outside = false, keep = true;
    spmv_scalar value;
    char quote[SPMV__TEXT_QUOTE];
    const unsigned char *line = text->p;

    if (!read_index(text, entries, header->vector ? "index" : "row", header->rows, &row, &outside))
        return false;
    if (!header->vector && !read_index(text, entries, "column", header->cols, &col, &outside))
        return false;
    spmv__text_skip_blanks(text);
    const unsigned char *place = text->p;
    if (!spmv__mtx_read_value(text, header->field, &value)) return false;
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "'%s' after a complete entry; a line holds one",
                                spmv__text_quote_word(quote, text));
    if (outside) {
        entries->skipped++;
        return true;
    }

    if (row == col && !spmv__text_check_diagonal(text, header->symmetry, place, &value, &keep))
        return false;
    if (!keep) {
        entries->dropped++;
        return true;
    }
    if (row < col && header->symmetry != SPMV_GENERAL) spmv__text_note(text, SPMV__ODD_UPPER, line);
    entries->row[entries->n] = row;
    entries->col[entries->n] = col;
    spmv__set_scalar(spmv__mtx_type(header), entries->val, entries->n++, value);
    return true;
}

bool spmv__mtx_read_entries(spmv__text *text, spmv__mtx_entries *entries)
{
    while (entries->n + entries->skipped + entries->dropped < entries->room) {
        const unsigned char *next = NULL;
        if (text->end - text->p > SPMV__PLAIN) next = plain_entry(text->p, text->end, entries);
        if (next != NULL) {
            text->p = next;
            entries->n++;
            continue;
        }
        if (!spmv__text_next_content(text, true)) break;
        if (!careful_entry(text, entries)) return false;
    }
    return true;
}
