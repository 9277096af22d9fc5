/* plain_edge.h -- a line of an edge list in the plain form that nearly all have. */
#pragma once

#include "formats/graphs/edge_list.h"
#include "formats/text/plain_number.h"

/* Ids count from base 0 and are at most INT64_MAX. */
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

/* A plain line at p, with SPMV__PLAIN bytes and more up to the end of the text; returns its own
 * end, or NULL. */
static inline const unsigned char *spmv__plain_edge_at(const unsigned char *p,
                                                       const unsigned char *end,
                                                       const spmv__edges_header *header,
                                                       unsigned char separator,
                                                       spmv__plain_edge *out)
{
    const unsigned char *safe = end - SPMV__PLAIN;
    uint64_t base = (uint64_t)header->base, row, col, time;

    p = spmv__plain_blanks(p, safe);
    if (p >= safe || (p = spmv__plain_index(p, &row)) == NULL) return NULL;
    if ((p = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
    if ((p = spmv__plain_index(p, &col)) == NULL) return NULL;
    row -= base; /* 0 - 1 is as large as can be */
    col -= base;
    if (row > INT64_MAX || col > INT64_MAX) return NULL;
    if (header->konect && (row >= (uint64_t)header->sources || col >= (uint64_t)header->targets))
        return NULL; /* a size that is not declared is -1: no limit */

    if (header->columns > 2) {
        if ((p = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_real(p, end, &out->weight)) == NULL) return NULL;
    }
    if (header->columns > 3) {
        if ((p = spmv__plain_separator(p, safe, separator)) == NULL) return NULL;
        if ((p = spmv__plain_index(p, &time)) == NULL) return NULL;
    }
    out->row = row;
    out->col = col;
    return spmv__plain_line_end(p, end);
}
