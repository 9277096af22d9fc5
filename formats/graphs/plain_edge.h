/* plain_edge.h -- a line of an edge list in the plain form that nearly all have. */
#pragma once

#include "formats/graphs/edge_list.h"
#include "formats/text/marks.h"
#include "formats/text/plain_number.h"

/* Ids count from base 0. */
typedef struct spmv__plain_edge {
    uint64_t row, col;
    double weight; /* where lines have one */
} spmv__plain_edge;

/* Over blanks with at most one separator among them; NULL where there is neither. */
static inline const unsigned char *
spmv__plain_separator(const unsigned char *p, const unsigned char *safe, unsigned char separator)
{
    const unsigned char *start = p;
    p = spmv__plain_blanks(p, safe);
    if (p < safe && *p == separator) p = spmv__plain_blanks(p + 1, safe);
    return p > start && p < safe ? p : NULL;
}

/* What comes after the nodes of a line, with SPMV__PLAIN bytes and more up to the end of the text;
 * returns the end of the line, or NULL. */
static inline const unsigned char *spmv__plain_rest(const unsigned char *p,
                                                    const unsigned char *end,
                                                    const spmv__edges_header *header,
                                                    unsigned char separator, double *weight)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t time;
    if (header->columns > 2) {
        if ((p = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_weight(p, end, weight)) == NULL) return NULL;
    }
    if (header->columns > 3) {
        if ((p = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_index(p, &time)) == NULL) return NULL;
    }
    return spmv__plain_line_end(p, end);
}

/* Whether a number of so many digits begins with zeros: it is a name, but where all are ids. */
static inline bool spmv__plain_is_padded(const unsigned char *p, int64_t digits)
{
    return digits > 1 && *p == '0';
}

/* Count from base 0; false: an id is too large (edge_ids.c), or less than the base. */
static inline bool spmv__plain_are_ids(uint64_t *row, uint64_t *col,
                                       const spmv__edges_header *header)
{
    const uint64_t base = (uint64_t)header->base, limit = INT64_MAX - 1 - base;
    *row -= base; /* 0 - 1 is as large as can be */
    *col -= base;
    return *row < limit && *col < limit;
}

/* A plain line at p, with SPMV__PLAIN bytes and more up to the end of the text; returns its own
 * end, or NULL. */
static inline const unsigned char *spmv__plain_edge_at(const unsigned char *p,
                                                       const unsigned char *end,
                                                       const spmv__edges_header *header,
                                                       unsigned char separator,
                                                       spmv__plain_edge *out)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t row, col;

    const unsigned char *first = spmv__plain_blanks(p, safe), *second;
    if (first >= safe || (p = spmv__plain_index(first, &row)) == NULL) return NULL;
    if (spmv__plain_is_padded(first, p - first)) return NULL;
    if ((second = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
    if ((p = spmv__plain_index(second, &col)) == NULL) return NULL;
    if (spmv__plain_is_padded(second, p - second)) return NULL;
    if (!spmv__plain_are_ids(&row, &col, header)) return NULL;
    if (header->konect && (row >= (uint64_t)header->sources || col >= (uint64_t)header->targets))
        return NULL; /* a size that is not declared is -1: no limit */

    out->row = row;
    out->col = col;
    return spmv__plain_rest(p, end, header, separator, &out->weight);
}

/* A line of no KONECT file as programs write it, with one byte between its nodes, at p, where these
 * marks of what is no digit begin; twice SPMV__PLAIN bytes and more are up to the end of the text.
 * Where a number ends need not be known from its bytes, so that two of them are read side by side.
 * Returns its own end, or NULL. */
static inline const unsigned char *spmv__usual_edge_at(const unsigned char *p, uint64_t marks,
                                                       const unsigned char *end,
                                                       const spmv__edges_header *header,
                                                       unsigned char separator,
                                                       spmv__plain_edge *out)
{
    const int first = spmv__next_mark(&marks), second = spmv__next_mark(&marks);
    const int digits = second - first - 1;
    if (first < 1 || first > SPMV__PLAIN_DIGITS || digits < 1 || digits > SPMV__PLAIN_DIGITS)
        return NULL;
    if (p[first] != ' ' && p[first] != '\t' && p[first] != separator) return NULL;
    if (spmv__plain_is_padded(p, first) || spmv__plain_is_padded(p + first + 1, digits))
        return NULL;
    out->row = spmv__plain_value(p, first);
    out->col = spmv__plain_value(p + first + 1, digits);
    if (!spmv__plain_are_ids(&out->row, &out->col, header)) return NULL;
    return spmv__plain_rest(p + second, end, header, separator, &out->weight);
}
