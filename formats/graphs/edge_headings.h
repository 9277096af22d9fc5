/* edge_headings.h -- the row of headings of an edge list, and the columns that they and the options
 * name. */
#pragma once

#include "formats/graphs/edge_list.h"

/* The line at text->p, and field number `index` of it, as spmv__fields_find has it. */
bool spmv__edges_field(const spmv__edges_reader *reader, const spmv__text *text, int index,
                       spmv__field *out);
int spmv__edges_count_fields(const spmv__edges_reader *reader, const spmv__text *text,
                             bool *dictionary);

/* Whether the source, target or weight of the line at text->p is there and looks like that. */
bool spmv__edges_field_is(const spmv__edges_reader *reader, const spmv__text *text, int which,
                          bool (*like)(const spmv__field *field));

/* *n is how many fields the line at text->p has.  Faults where one is wrong in itself, or, where
 * columns are named and others may hold anything, quotes are not closed. */
bool spmv__edges_count_all(spmv__edges_reader *reader, int *n);

/* The line behind that at text->p; at the end of the text where there is none. */
spmv__text spmv__edges_line_behind(const spmv__text *text);

/* Over the row of headings at text->p, if it is one; `any` tells whether a line follows.  What is
 * between headings is between fields, whatever else a field holds.  It sets the columns of nodes
 * and weights in the header. */
bool spmv__edges_pass_headings(spmv__edges_reader *reader, bool *any);

/* Faults unless the line at text->p, the first below headings, has as many fields.  One more is the
 * name of the row, as R and pandas write it, where columns are named by their headings: these are
 * further right, then. */
bool spmv__edges_fit_headings(spmv__edges_reader *reader);
