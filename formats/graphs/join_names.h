/* join_names.h -- the names that several threads have met become the nodes of one graph. */
#pragma once

#include "formats/graphs/node_names.h"

/* Number the names of all tables by ascending bytes: name k of table t becomes number[t][k], which
 * is the caller's; *labels gets them.  A table may be NULL, not all of them.  More names than an
 * int32_t can count do not *fit.  Errors: OUT_OF_MEMORY.  Memory: what settling one table of all
 * names takes, and some 8 bytes for each name of each table. */
spmv_status spmv__join_names(spmv__node_names *const *names, int tables, int threads,
                             int32_t **number, spmv_labels *labels, bool *fit, spmv_error *err);
