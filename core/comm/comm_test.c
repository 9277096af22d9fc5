/* comm_test.c -- ranks agree on failures, and add in their order. */
#include "core/comm/team_test.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const int sizes[] = {1, 2, 3, 4, 7, 16};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Runs work on every number of ranks. */
static void run_on_all(team_work *work, void *user)
{
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], work, user);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
}

static const char *nobody_fails(spmv_comm *comm, void *user)
{
    spmv_error err = {.message = "untouched"};
    (void)user;
    if (spmv_comm_agree(comm, SPMV_SUCCESS, &err) != SPMV_SUCCESS) return "a failure of nobody";
    return strcmp(err.message, "untouched") == 0 ? NULL : "an error of nobody";
}

Test(comm, all_go_on_where_none_has_failed)
{
    run_on_all(nobody_fails, NULL);
}

/* The last rank and the one in the middle fail, each in its own way. */
static const char *two_fail(spmv_comm *comm, void *user)
{
    const int middle = (comm->size - 1) / 2, last = comm->size - 1;
    spmv_error err = {0};
    spmv_status st = SPMV_SUCCESS;
    (void)user;
    if (comm->rank == last) st = spmv__fail(&err, SPMV_ERROR_FILE_IO, "the last one");
    if (comm->rank == middle) {
        st = spmv__fail(&err, SPMV_ERROR_OUT_OF_MEMORY, "the one in the middle");
        err.line = 42;
        snprintf(err.file, sizeof err.file, "web.mtx");
    }
    if (spmv_comm_agree(comm, st, &err) != SPMV_ERROR_OUT_OF_MEMORY) return "another status";
    if (strcmp(err.message, "the one in the middle") != 0) return "another sentence";
    if (err.line != 42 || strcmp(err.file, "web.mtx") != 0) return "another place";
    return spmv_comm_agree(comm, st, NULL) != SPMV_SUCCESS ? NULL : "no failure without an error";
}

Test(comm, the_lowest_failure_is_that_of_all)
{
    run_on_all(two_fail, NULL);
}

static const char *share_a_machine(spmv_comm *comm, void *user)
{
    (void)user;
    return spmv_comm_local_rank(comm) == spmv_comm_rank(comm) &&
                   spmv_comm_local_size(comm) == spmv_comm_size(comm)
               ? NULL
               : "another place on the machine";
}

Test(comm, threads_are_of_one_machine)
{
    run_on_all(share_a_machine, NULL);
}

static const char *add_words(spmv_comm *comm, void *user)
{
    const uint64_t sum = spmv__comm_sum_words(comm, UINT64_MAX - (uint64_t)comm->rank);
    const uint64_t size = (uint64_t)comm->size, rank = (uint64_t)comm->rank;
    (void)user;
    if (spmv__comm_words_before(comm, UINT64_MAX - rank) != 0 - rank - rank * (rank - 1) / 2)
        return "another sum before this rank";
    return sum == 0 - size - size * (size - 1) / 2 ? NULL : "another sum";
}

Test(comm, words_are_added_beyond_their_end)
{
    run_on_all(add_words, NULL);
}

/* Each rank sends k + 1 words to each rank k, in two messages. */
static const char *send_in_two(spmv_comm *comm, void *user)
{
    spmv__message receive[2 * TEAM_MOST], send[2 * TEAM_MOST];
    int32_t out[TEAM_MOST][TEAM_MOST + 1], in[TEAM_MOST][TEAM_MOST + 1] = {{0}};
    const int64_t word = sizeof(int32_t);
    const int rank = comm->rank;
    int n = 0;
    (void)user;
    for (int k = 0; k < comm->size; k++) {
        for (int i = 0; i <= k; i++) out[k][i] = 1000 * rank + i;
        if (k == rank) continue;
        receive[n] = (spmv__message){k, in[k], word};
        send[n++] = (spmv__message){k, out[k], word};
        receive[n] = (spmv__message){k, in[k] + 1, rank * word};
        send[n++] = (spmv__message){k, out[k] + 1, k * word};
    }
    if (spmv__exchange_once(comm, receive, n, send, n, NULL) != SPMV_SUCCESS) return "a failure";
    for (int k = 0; k < comm->size; k++)
        for (int i = 0; i <= rank && k != rank; i++)
            if (in[k][i] != 1000 * k + i) return "another word has come";
    return NULL;
}

Test(comm, messages_come_in_their_order)
{
    run_on_all(send_in_two, NULL);
}

Test(comm, one_process_is_rank_0_of_1)
{
    spmv_comm *comm;
    double number[] = {3, 4}, all[2];
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    cr_assert(spmv_comm_rank(comm) == 0 && spmv_comm_size(comm) == 1);
    spmv_comm_gather(comm, number, 2, all);
    cr_assert(all[0] == 3 && all[1] == 4);
    cr_assert_null(nobody_fails(comm, NULL));
    cr_assert_null(two_fail(comm, NULL));
    cr_assert_null(add_words(comm, NULL));
    spmv_comm_close(comm);
    spmv_comm_close(NULL);
}
