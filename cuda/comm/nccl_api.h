/* nccl_api.h -- NCCL, which is loaded when ranks exchange with it: neither a build nor a start has
 * to know of it.
 *
 * Its functions are declared here, as far as they are used, with what their types are to others:
 * numbers, and pointers to what only NCCL looks into.  They have been the same since version 2.7.
 */
#pragma once

#include "core/base/load_library.h"

typedef struct nccl_id { /* the same for all ranks of a communicator */
    char bytes[128];
} nccl_id;
enum { NCCL_SUCCESS = 0, NCCL_BYTE = 0 };

int ncclGetUniqueId(nccl_id *id);
int ncclCommInitRank(void **comm, int ranks, nccl_id id, int rank);
int ncclCommDestroy(void *comm);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclSend(const void *data, size_t count, int type, int peer, void *comm, void *stream);
int ncclRecv(void *data, size_t count, int type, int peer, void *comm, void *stream);
const char *ncclGetErrorString(int result);

/* clang-format off */
#define NCCL_API(X) \
    X(ncclGetUniqueId) X(ncclCommInitRank) X(ncclCommDestroy) X(ncclGroupStart) X(ncclGroupEnd) \
    X(ncclSend) X(ncclRecv) X(ncclGetErrorString)
/* clang-format on */

#ifdef SPMV_EMULATED /* there a stand-in exchanges what emulated GPUs have */
#define NCCL_SONAME "libnccl_stand_in.so"
#else
#define NCCL_SONAME "libnccl.so.2"
#endif

SPMV__LIBRARY(nccl, NCCL_API, NCCL_SONAME)
