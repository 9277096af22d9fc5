/* word_lines.h -- what most lines of words are: two names of printable ASCII without blanks and
 * quotes, and perhaps a weight. */
#pragma once

#include "formats/graphs/edge_list.h"

enum { SPMV__STOPS_BYTES = 2048 };

/* The stops of some text: bytes that may end a name, or are none of a plain one. */
typedef struct spmv__stops {
    const unsigned char *base;
    int n, next;
    uint16_t stop[SPMV__STOPS_BYTES + 8]; /* [n] from base, and what is overwritten after */
} spmv__stops;

/* Whether lines may be that: words in the first two columns, and no others but a weight. */
bool spmv__words_are_plain(const spmv__edges_header *header);

/* Read plain lines from p on, until one is none or all edges are there that there is room for;
 * their names go into the queue.  *stops is kept from one call to the next, its base NULL before
 * the first. Returns where it stopped. */
const unsigned char *spmv__words_read(const unsigned char *p, const unsigned char *end,
                                      const spmv__edges_header *header, spmv__stops *stops,
                                      spmv__name_queue *queue, spmv__edges *edges);
