/* scarcity_test.h -- when one rank gets no memory, all give up together, with its words.
 *
 * The linker sends every allocation of the library here (-Wl,--wrap); one that is forgotten by an
 * agreement would leave the other ranks waiting for ever. */
#pragma once

#include "core/comm/team_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* Of the calling thread, which is a rank. */
static _Thread_local long until_failure = -1; /* so many more succeed; negative: all do */
static _Thread_local bool failed;

static bool refuse(void)
{
    if (until_failure < 0 || until_failure-- > 0) return false;
    failed = true;
    return true;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

enum { RANKS = 3 };

typedef struct scarcity scarcity;

/* What is done, and who is to fail when. */
struct scarcity {
    spmv_status (*work)(spmv_comm *comm, const scarcity *s, spmv_error *err);
    const spmv_matrix *A;
    const spmv_dense *x;
    int rank;
    long allocation;
    bool failed; /* it has */
};

static inline const char *work_scarcely(spmv_comm *comm, void *user)
{
    scarcity *s = user;
    spmv_error err = {0};
    failed = false;
    until_failure = comm->rank == s->rank ? s->allocation : -1;
    const spmv_status st = s->work(comm, s, &err);
    until_failure = -1;
    if (comm->rank == s->rank) s->failed = failed;
    spmv_comm_agree(comm, SPMV_SUCCESS, NULL); /* the others learn whether it has */
    if (!s->failed) return st == SPMV_SUCCESS ? NULL : "a failure of nobody";
    if (st != SPMV_ERROR_OUT_OF_MEMORY) return "another status than that of who has failed";
    return strstr(err.message, "cannot allocate") != NULL ? NULL : "another sentence";
}

/* Each rank fails in turn, at each of its allocations. */
static inline void starve_all(scarcity s)
{
    for (s.rank = 0; s.rank < RANKS; s.rank++) {
        s.failed = true;
        for (s.allocation = 0; s.failed; s.allocation++) {
            const char *complaint = team_run(RANKS, work_scarcely, &s);
            cr_assert_null(complaint, "rank %d, allocation %ld: %s", s.rank, s.allocation,
                           complaint);
        }
        cr_assert_gt(s.allocation, 15, "rank %d has few allocations that could fail", s.rank);
    }
}
