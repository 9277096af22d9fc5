/* rank_memory.c -- see rank_memory.h. */
#include "cuda/gpu/rank_memory.h"
#include "cuda/gpu/process_memory.h"

#include <stdlib.h>

/* What a GPU is called among those of all machines. */
typedef struct gpu_name {
    spmv__gpu_address address;
    int32_t machine;
} gpu_name;

/* The first rank with the GPU of rank k: k itself, unless it shares it. */
static int first_with(const gpu_name *all, int k)
{
    int first = 0;
    while (all[first].machine != all[k].machine ||
           strcmp(all[first].address.text, all[k].address.text) != 0)
        first++;
    return first;
}

spmv_status spmv__rank_gpus_differ(spmv_comm *comm, int device, spmv_error *err)
{
    gpu_name mine = {.machine = comm->machine}, *all = NULL;
    spmv_status st = spmv__alloc(&all, comm->size, sizeof *all, "addresses of GPUs", err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_name_address(&mine.address, device, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_all_gather(comm, &mine, sizeof mine, all);
    for (int k = 0; k < comm->size; k++)
        if (first_with(all, k) < k)
            SPMV__TRY(spmv__fail(err, SPMV_ERROR_NO_DEVICE,
                                 "processes %d and %d share a GPU, on which they cannot wait for "
                                 "each other",
                                 first_with(all, k), k));
done:
    free(all);
    return st;
}

static spmv_status check_ranks(spmv_comm *comm, int device, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (comm->local_size < comm->size)
        st = spmv__fail(err, SPMV_ERROR_NO_DEVICE,
                        "the processes are of several machines, and cannot reach the memory of "
                        "each other's GPUs");
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__rank_gpus_differ(comm, device, err));
done:
    return st;
}

static void close_imports(void **there, const spmv_comm *comm)
{
    for (int k = 0; k < comm->size; k++) {
        if (k != comm->rank) spmv__gpu_close_import(there[k]);
        there[k] = NULL;
    }
}

static spmv_status import_all(void **there, const spmv_comm *comm, const spmv__gpu_handle *all,
                              spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int k = 0; k < comm->size; k++)
        if (k != comm->rank) SPMV__TRY(spmv__gpu_import(&there[k], &all[k], err));
done:
    return st;
}

spmv_status spmv__rank_memory_open(void ***there, spmv_comm *comm, int device, void *mine,
                                   spmv_error *err)
{
    spmv__gpu_handle handle = {{0}}, *all = NULL;
    void **reached = NULL;
    spmv_status st;
    *there = NULL;
    SPMV__TRY(check_ranks(comm, device, err));
    st = spmv__alloc(&all, comm->size, sizeof *all, "handles of memory", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&reached, comm->size, sizeof *reached, "memory of other GPUs", err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_export(&handle, mine, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_all_gather(comm, &handle, sizeof handle, all);
    st = spmv_comm_agree(comm, import_all(reached, comm, all, err), err);
    if (st != SPMV_SUCCESS) {
        close_imports(reached, comm);
        goto done;
    }
    reached[comm->rank] = mine;
    *there = reached;
    reached = NULL;
done:
    free(reached);
    free(all);
    return st;
}

void spmv__rank_memory_close(void **there, spmv_comm *comm)
{
    (void)spmv_comm_agree(comm, SPMV_SUCCESS, NULL);
    close_imports(there, comm);
    (void)spmv_comm_agree(comm, SPMV_SUCCESS, NULL);
    free(there);
}
