/* row_shares.h -- --partition: how the rows of a matrix are shared out to several ranks. */
#pragma once

#include "spmv.h"

/* The rules by their number, and what says who has which row: METIS, or a file. */
#define ROW_SHARES "nnz|rows|nonzeros|metis|FILE"

/* Returns the rule that the argument of the option names, or GIVEN: it is METIS or a file.  NULL,
 * where it is not given, is the first rule. */
spmv_partition tool_partition(const char *argument);
const char *tool_partition_name(const char *argument); /* as the option has it, or "file" */
bool tool_partition_is_file(const char *argument);

/* Returns the rule by which rows are cut until they go where METIS or a file says. */
static inline spmv_partition tool_first_partition(const char *argument)
{
    const spmv_partition by = tool_partition(argument);
    return by == SPMV_PARTITION_GIVEN ? SPMV_PARTITION_NNZ : by;
}

/* Find out on this rank who has which row of A: *rank_of_row [A->rows] is the caller's to free(),
 * and NULL where the argument names a rule. */
spmv_status tool_find_shares(int32_t **rank_of_row, const char *argument, const spmv_csr *A,
                             int ranks, spmv_error *err);

/* Send the rows of a part where METIS, which gets the pattern of the matrix on rank 0, or the file,
 * which that one reads, says; nothing happens where the argument names a rule.  All ranks together.
 */
spmv_status tool_share_rows(spmv_part *part, spmv_comm *comm, const char *argument,
                            spmv_error *err);
