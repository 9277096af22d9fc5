/* row_shares.c -- see row_shares.h. */
#include "cli/tool/row_shares.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/option.h"

#include <stdlib.h>
#include <string.h>

spmv_partition tool_partition(const char *argument)
{
    int length;
    if (argument == NULL) return SPMV_PARTITION_NNZ;
    for (int i = 0; i < SPMV_PARTITION_GIVEN; i++) {
        const char *word = option_word(ROW_SHARES, i, &length);
        if (strlen(argument) == (size_t)length && strncmp(argument, word, (size_t)length) == 0)
            return (spmv_partition)i;
    }
    return SPMV_PARTITION_GIVEN;
}

spmv_status tool_read_shares(int32_t **rank_of_row, const char *argument, int64_t rows, int ranks,
                             spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    *rank_of_row = NULL;
    if (tool_partition(argument) != SPMV_PARTITION_GIVEN) return SPMV_SUCCESS;
    return spmv_read_partition(rank_of_row, argument, rows, ranks, &options, err);
}

spmv_status tool_share_rows(spmv_part *part, spmv_comm *comm, const char *argument, spmv_error *err)
{
    int32_t *rank_of_row = NULL;
    spmv_status st = SPMV_SUCCESS;
    if (tool_partition(argument) != SPMV_PARTITION_GIVEN) return SPMV_SUCCESS;
    if (spmv_comm_rank(comm) == 0)
        st = tool_read_shares(&rank_of_row, argument, part->rows, spmv_comm_size(comm), err);
    TOOL_TRY(spmv_comm_agree(comm, st, err));
    TOOL_TRY(spmv_part_assign(part, comm, rank_of_row, err));
done:
    free(rank_of_row);
    return st;
}
