/* relay.h -- elements of x on their way from the GPUs of some ranks to those of others, where these
 * do not write into each other's memory themselves.
 *
 * What others need is packed, sent and received in a stream of its own, while the GPU multiplies.
 * How it is sent is a way's own business. */
#pragma once

#include "core/parts/halo.h"
#include "cuda/comm/move_elements.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spmv__relay spmv__relay;

/* One record for each way.  All ranks together make each of the calls, also those for which
 * something has failed: *st stays as it is then. */
typedef struct spmv__relay_way {
    spmv_route route;
    bool by_hosts; /* these have a part in each exchange, so that it cannot be recorded */
    /* Errors, which all ranks have together: NO_DEVICE (that is no way here), OUT_OF_MEMORY. */
    spmv_status (*open)(spmv__relay *s, spmv_error *err);
    /* Begin, when all is packed or will be in the order of the stream, and end; NULL: nothing is to
     * be done then. */
    void (*begin)(spmv__relay *s, spmv_status *st, spmv_error *err);
    void (*end)(spmv__relay *s, spmv_status *st, spmv_error *err);
    void (*close)(spmv__relay *s); /* also what has not been opened */
} spmv__relay_way;

struct spmv__relay {
    const spmv__relay_way *way; /* NULL: none has been opened */
    spmv_comm *comm;
    spmv__gpu *gpu, *copier; /* of the products, and owned: of what is exchanged */
    int device;
    spmv__halo *halo;
    char *x;             /* on the GPU: as the halo has it */
    char *packed;        /* owned, on the GPU: as the halo has it */
    int32_t *give;       /* owned, on the GPU: the elements that are packed */
    spmv__message *take; /* owned: [halo->neighbours] what comes to x, and ... */
    spmv__message *send; /* ... behind that, [halo->receivers] what goes, from x or packed */
    char *table;         /* on the GPU: [ranks] rows, of which this rank has its own; or NULL */
    int64_t row;         /* bytes of a row */
    char *table_host;    /* owned: [ranks + 1] rows, for ways by the hosts */
    void *own;           /* of the way */
};

/* A relay for x [halo->cols], which lies on the current device; row: bytes of the longest row of a
 * table.  With ROUTE_AUTO that is the first way that is one here.  All ranks together.  Errors,
 * which all have together: NO_DEVICE (the way that is asked for is none here), OUT_OF_MEMORY,
 * CUDA_MALLOC, CUDA_MEMCPY. */
spmv_status spmv__relay_create(spmv__relay **out, spmv_route route, spmv_comm *comm, spmv__gpu *gpu,
                               int device, spmv__halo *halo, void *x, int64_t row, spmv_error *err);
void spmv__relay_destroy(spmv__relay *s);

/* Exchange, with two calls in this order: begin sends what others need, after all that is enqueued
 * so far; end makes what is enqueued later wait for what arrives.  If the table is not NULL, all
 * ranks get the rows of all, too.  All ranks make both calls, also one on which something has
 * failed: *st stays as it is then.  Errors, of this rank alone: KERNEL_LAUNCH, CUDA_MEMCPY. */
void spmv__relay_begin(spmv__relay *s, void *table, spmv_status *st, spmv_error *err);
void spmv__relay_end(spmv__relay *s, spmv_status *st, spmv_error *err);

/* ---- For ways ------------------------------------------------------------------------------- */

extern const spmv__relay_way spmv__nccl_way, spmv__device_way, spmv__host_way;

/* Hand out the table by the hosts. */
void spmv__relay_table_by_hosts(spmv__relay *s, spmv_status *st, spmv_error *err);

#ifdef __cplusplus
}
#endif
