/* edge_list.h -- what the parts of the edge list reader share.
 *
 * An edge list has a line for each edge: the ids of two nodes and perhaps a weight, separated by
 * blanks or a comma, with comments after # or %.  SNAP, KONECT, the Network Repository and the GAP
 * suite each have a dialect of it.
 *
 * Functions that can meet an error return false after spmv__text_fault (text.h). */
#pragma once

#include "formats/text/text.h"

#include <string.h>

/* Facts about the edges that comments and the first edge tell. */
typedef struct spmv__edges_header {
    bool konect;         /* begins with a line `% sym|asym|bip ...` */
    bool undirected;     /* every line stands for both directions */
    bool bipartite;      /* targets are numbered apart from sources */
    int columns;         /* numbers on a line: 2, 3 with a weight, 4 with a time that is ignored */
    int64_t base;        /* that ids count from */
    int64_t edges;       /* as declared, or -1 */
    int64_t sources;     /* number of them as declared, or -1; */
    int64_t targets;     /* the same as sources unless bipartite */
    int64_t first, last; /* ids of all nodes, as our own writer declares; or -1 */
} spmv__edges_header;

/* A file while it is read. */
typedef struct spmv__edges_reader {
    const spmv__source *src;
    const spmv_read_options *options;
    spmv__edges_header header;
    spmv__text text;
    const unsigned char *body; /* where the first edge stands */
} spmv__edges_reader;

/* Edges in the order of the file, ids from base 0. */
typedef struct spmv__edges {
    int64_t *row, *col; /* [room] */
    double *val;        /* [room], NULL for a pattern */
    int64_t room;
    int64_t n;       /* stored */
    int64_t skipped; /* left out, as one of their ids cannot be */
} spmv__edges;

/* Read what stands before the first edge, and of that how many numbers it has. */
bool spmv__edges_open(spmv__edges_reader *reader, const spmv__source *src,
                      const spmv_read_options *options);

/* Returns whether this is Matrix Market text without its banner, of that size: rows, columns,
 * entries. */
bool spmv__edges_are_bare(const spmv__edges_reader *reader, int64_t size[3]);

int64_t spmv__edges_count_lines(const unsigned char *p, const unsigned char *end);

/* Read edges until the text ends or `room` of them were given. */
bool spmv__edges_read(spmv__edges_reader *reader, spmv__edges *edges);

/* Bring the edges of *A, all of ids below its rows and columns, into the order of COO; those of an
 * undirected graph into the lower triangle before. */
spmv_status spmv__edges_order(spmv__edges_reader *reader, spmv_coo *A, int64_t *merged,
                              spmv_error *err);

/* Number the nodes that occur in *A, which is square and in order, by ascending id; *labels gets
 * their ids, counted from base.  Scratch: a quarter of a byte for each id up to the largest, or,
 * where these are many more than edges, 32 bytes per edge. */
spmv_status spmv__edges_number(spmv_coo *A, int64_t base, spmv_labels *labels, spmv_error *err);
