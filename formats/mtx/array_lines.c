/* array_lines.c -- the lines of an array file: one value each, column by column. */
#include "core/matrix/value.h"
#include "formats/mtx/plain_value.h"

static inline const unsigned char *plain_value(const unsigned char *p, const unsigned char *end,
                                               spmv__mtx_field field, void *val, int64_t n)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    p = spmv__plain_blanks(p, safe);
    if (p >= safe) return NULL;
    p = spmv__mtx_plain_value(p, end, field, val, n);
    return p == NULL ? NULL : spmv__plain_line_end(p, end);
}

/* Value k of a hermitian array stands on the diagonal: where the lower triangle's columns, each
 * one shorter than the one before, begin. */
static bool on_diagonal(const spmv__mtx_header *header, int64_t k, int64_t *next, int64_t *column)
{
    if (header->symmetry != SPMV_HERMITIAN || k != *next) return false;
    *next += header->rows - (*column)++;
    return true;
}

bool spmv__mtx_read_values(spmv__text *text, spmv__mtx_values *values)
{
    const spmv__mtx_header *header = values->header;
    const bool hermitian = header->symmetry == SPMV_HERMITIAN; /* its diagonal is looked at */
    int64_t diagonal = 0, column = 0;
    char quote[SPMV__TEXT_QUOTE];

    while (values->n < values->room) {
        spmv_scalar value;
        const unsigned char *next = NULL;
        bool keep;
        if (!hermitian && text->end - text->p > SPMV__PLAIN)
            next = plain_value(text->p, text->end, header->field, values->val, values->n);
        if (next != NULL) {
            text->p = next;
            values->n++;
            continue;
        }
        if (!spmv__text_next_content(text, true)) break;
        const unsigned char *place = text->p;
        if (!spmv__mtx_read_value(text, header->field, &value)) return false;
        if (!spmv__text_finish_line(text))
            return spmv__text_fault(text, text->p,
                                    "'%s' after a value; a line of an array holds one",
                                    spmv__text_quote_word(quote, text));
        if (on_diagonal(header, values->n, &diagonal, &column) &&
            !spmv__text_check_diagonal(text, header->symmetry, place, &value, &keep))
            return false;
        spmv__set_scalar(spmv__mtx_type(header), values->val, values->n++, value);
    }
    return true;
}
