/* row_shares.c -- see row_shares.h. */
#include "cli/tool/row_shares.h"
#include "cli/text/suggest.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const rules[SPMV_PARTITION_GIVEN] = {"nnz", "rows", "nonzeros"};

spmv_partition tool_partition(const char *argument)
{
    int by = 0;
    if (argument == NULL) return SPMV_PARTITION_NNZ;
    while (by < SPMV_PARTITION_GIVEN && strcmp(argument, rules[by]) != 0) by++;
    return (spmv_partition)by;
}

/* A file that is not there may be a rule that was mistyped. */
static spmv_status check_name(const char *path, spmv_error *err)
{
    suggestion near = {.word = path};
    if (access(path, F_OK) == 0) return SPMV_SUCCESS;
    for (int by = 0; by < SPMV_PARTITION_GIVEN; by++) suggestion_consider(&near, rules[by]);
    if (near.name == NULL) return SPMV_SUCCESS; /* reading it says what is wrong */
    return tool_fail(err, SPMV_ERROR_FILE_IO,
                     "--partition: there is no file '%.60s'; did you mean %s?", path, near.name);
}

spmv_status tool_read_shares(int32_t **rank_of_row, const char *argument, int64_t rows, int ranks,
                             spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    spmv_status st;
    *rank_of_row = NULL;
    if (tool_partition(argument) != SPMV_PARTITION_GIVEN) return SPMV_SUCCESS;
    st = check_name(argument, err);
    if (st != SPMV_SUCCESS) return st;
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
