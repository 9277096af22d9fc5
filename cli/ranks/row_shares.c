/* row_shares.c -- see row_shares.h. */
#include "cli/ranks/row_shares.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <stdlib.h>
#include <string.h>

/* Behind the rules, which have their numbers, stands what no rows are cut by. */
enum { METIS = SPMV_PARTITION_GIVEN, WORDS };
static const char *const words[WORDS] = {"nnz", "rows", "nonzeros", "metis"};

/* The number of a word, or WORDS: it is a file. */
static int number_of(const char *argument)
{
    int i = 0;
    if (argument == NULL) return SPMV_PARTITION_NNZ;
    while (i < WORDS && strcmp(argument, words[i]) != 0) i++;
    return i;
}

spmv_partition tool_partition(const char *argument)
{
    const int number = number_of(argument);
    return number < METIS ? (spmv_partition)number : SPMV_PARTITION_GIVEN;
}

const char *tool_partition_name(const char *argument)
{
    const int number = number_of(argument);
    return number < WORDS ? words[number] : "file";
}

bool tool_partition_is_file(const char *argument)
{
    return number_of(argument) == WORDS;
}

/* A file that is not there may be a rule that was mistyped. */
static spmv_status check_name(const char *path, spmv_error *err)
{
    suggestion near = {.word = path};
    for (int i = 0; i < WORDS; i++) suggestion_consider(&near, words[i]);
    return tool_check_file_name("--partition", &near, err);
}

static spmv_status read_shares(int32_t **rank_of_row, const char *path, int64_t rows, int ranks,
                               spmv_error *err)
{
    const spmv_read_options options = {.warn = tool_warn_reader};
    const spmv_status st = check_name(path, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv_read_partition(rank_of_row, path, rows, ranks, &options, err);
}

spmv_status tool_find_shares(int32_t **rank_of_row, const char *argument, const spmv_csr *A,
                             int ranks, spmv_error *err)
{
    const int number = number_of(argument);
    *rank_of_row = NULL;
    if (number < METIS) return SPMV_SUCCESS;
    if (number == METIS) return spmv_partition_graph(rank_of_row, A, ranks, err);
    return read_shares(rank_of_row, argument, A->rows, ranks, err);
}

/* What rank 0 needs of the matrix: its shape, and for METIS its pattern. */
static spmv_status collect_pattern(spmv_matrix *out, spmv_comm *comm, const spmv_part *part,
                                   bool whole, spmv_error *err)
{
    spmv_part pattern = *part;
    *out = (spmv_matrix){.format = SPMV_CSR, .csr = {.rows = part->rows, .cols = part->cols}};
    if (!whole) return SPMV_SUCCESS;
    pattern.own.type = SPMV_PATTERN;
    pattern.own.val = NULL;
    return spmv_part_collect(out, comm, &pattern, err);
}

spmv_status tool_share_rows(spmv_part *part, spmv_comm *comm, const char *argument, spmv_error *err)
{
    int32_t *rank_of_row = NULL;
    spmv_matrix A = {0};
    spmv_status st = SPMV_SUCCESS;
    if (tool_partition(argument) != SPMV_PARTITION_GIVEN) return SPMV_SUCCESS;
    TOOL_TRY(collect_pattern(&A, comm, part, number_of(argument) == METIS, err));
    if (spmv_comm_rank(comm) == 0)
        st = tool_find_shares(&rank_of_row, argument, &A.csr, spmv_comm_size(comm), err);
    TOOL_TRY(spmv_comm_agree(comm, st, err));
    TOOL_TRY(spmv_part_assign(part, comm, rank_of_row, err));
done:
    free(rank_of_row);
    spmv_destroy(&A);
    return st;
}
