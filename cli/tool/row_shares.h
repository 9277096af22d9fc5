/* row_shares.h -- --partition: how the rows of a matrix are shared out to several ranks. */
#pragma once

#include "spmv.h"

/* The rules by their number, and a file that says who has which row. */
#define ROW_SHARES "nnz|rows|nonzeros|FILE"

/* Returns the rule that the argument of the option names, or GIVEN: it is a file.  NULL, where it
 * is not given, is the first rule. */
spmv_partition tool_partition(const char *argument);

/* Returns the rule by which rows are cut until they go where a file says. */
static inline spmv_partition tool_first_partition(const char *argument)
{
    const spmv_partition by = tool_partition(argument);
    return by == SPMV_PARTITION_GIVEN ? SPMV_PARTITION_NNZ : by;
}

/* Read on this rank who has which row: *rank_of_row [rows] is the caller's to free(), and NULL
 * where the argument names a rule. */
spmv_status tool_read_shares(int32_t **rank_of_row, const char *argument, int64_t rows, int ranks,
                             spmv_error *err);

/* Send the rows of a part where the file says, which rank 0 reads; nothing happens where the
 * argument names a rule.  All ranks together. */
spmv_status tool_share_rows(spmv_part *part, spmv_comm *comm, const char *argument,
                            spmv_error *err);
