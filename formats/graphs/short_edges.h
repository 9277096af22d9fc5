/* short_edges.h -- the most usual lines of an edge list, several at a time, on processors with
 * AVX2.
 */
#pragma once

#include "formats/graphs/quick_edges.h"

/* Read lines of two ids of at most eight digits with one byte between, and a line feed after, from
 * p on, within a block, as its edges n and so forth, for which there is room.  The first line that
 * is another one, or that begins in the last bytes of the block, is left, as all are by other
 * processors.  Returns where that line begins; *n and *extent grow.
 *
 *   end        the end of the block
 *   separator  what may stand between ids, beside a blank and a tab */
const unsigned char *spmv__short_edges_read(const unsigned char *p, const unsigned char *end,
                                            const spmv__edges_header *header,
                                            unsigned char separator, spmv__edge_ids *edge,
                                            int64_t *n, spmv__edges_extent *extent);
