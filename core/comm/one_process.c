/* one_process.c -- a communicator of one rank, which has nobody to talk to. */
#include "core/comm/transport.h"

static void broadcast(spmv_comm *comm, void *data, int64_t bytes, int root)
{
    (void)comm, (void)data, (void)bytes, (void)root;
}

static void copy_own(spmv_comm *comm, const void *mine, size_t bytes, void *all)
{
    (void)comm;
    memcpy(all, mine, bytes);
}

static bool yes(void)
{
    return true;
}

static spmv_status prepare(spmv__exchange *e, const spmv__message *receive, int receives,
                           const spmv__message *send, int sends, spmv_error *err)
{
    (void)e, (void)receive, (void)receives, (void)send, (void)sends, (void)err;
    return SPMV_SUCCESS;
}

static void nothing(spmv__exchange *e)
{
    (void)e;
}

static const spmv__transport one_process = {
    .broadcast = broadcast,
    .all_gather = copy_own,
    .all_to_all = copy_own,
    .prepare = prepare,
    .start = nothing,
    .finish = nothing,
    .release = nothing,
    .takes_gpu_memory = yes, /* there are no messages */
};

spmv_status spmv_comm_alone(spmv_comm **out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    const spmv_status st = spmv__comm_create(out, 0, 1, err);
    if (st == SPMV_SUCCESS) (*out)->transport = &one_process;
    return st;
}
