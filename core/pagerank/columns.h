/* columns.h -- the columns of a transition matrix, eight side by side. */
#pragma once

#include "spmv.h"

enum {
    SPMV__WINDOW = 1024, /* nodes of a window, at most */
    SPMV__ABREAST = 8    /* columns of a slice */
};

/* The beginning of a window. */
typedef struct spmv__node_window {
    int64_t node, slice, step;
    int64_t alone; /* so many of its first columns have a slice each */
} spmv__node_window;

/* Columns in the order of their nodes' numbers.  A slice has eight of them side by side: in each of
 * its steps comes an edge of each, or padding.  A long column has a slice of its own: in each step
 * come eight of its edges. */
typedef struct spmv__columns {
    int64_t windows;
    spmv__node_window *window; /* [windows + 1], the last one begins at the end */
    int32_t *steps;            /* [slices] of each */
    int32_t *source; /* [steps x SPMV__ABREAST] numbers of nodes; padding is number `nodes` */
    void *share;     /* [steps x SPMV__ABREAST], padding 0; NULL where edges are alike */
} spmv__columns;

/* Edges by row, of which columns are made. */
typedef struct spmv__edge_rows {
    const spmv_csr *A;        /* the columns are nodes */
    const int32_t *node;      /* [A->cols] column i of those that are made is column node[i] of A;
                                 NULL: column i */
    const int32_t *number;    /* [A->rows] of the node that the edges of a row leave */
    const double *out_weight; /* [A->rows] what values are divided by; NULL: they are shares */
    int64_t nodes;            /* of the whole graph */
} spmv__edge_rows;

/* Returns how many steps a column takes that has a slice of its own. */
static inline int64_t spmv__steps_alone(int64_t length)
{
    return (length + SPMV__ABREAST - 1) / SPMV__ABREAST;
}

/* Cut the columns into windows, where no edge is in its place yet.
 *
 *   node     [nodes] in the order of their numbers, which changes within windows
 *   length   [nodes] of the column of each node
 *   entries  in all columns
 *
 * Errors: OUT_OF_MEMORY. */
spmv_status spmv__columns_cut(spmv__columns *columns, int32_t *node, const int32_t *length,
                              int64_t nodes, int64_t entries, int threads, spmv_error *err);

/* number [nodes] = the place of each node among node [nodes]. */
static inline void spmv__number_nodes(int32_t *number, const int32_t *node, int64_t nodes)
{
    for (int64_t i = 0; i < nodes; i++) number[node[i]] = (int32_t)i;
}

/* Put edges into columns that have been cut: shares of that type, none for PATTERN.  A column gets
 * them in the order of the rows.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__columns_fill(spmv__columns *columns, spmv_type type, const spmv__edge_rows *rows,
                               int threads, spmv_error *err);
