/* gather.c -- numbers of all ranks on all ranks. */
#include "cli/tool/gather.h"
#include "cli/tool/fail.h"

#include <stdlib.h>

spmv_status tool_gather(double **out, spmv_comm *comm, const double *mine, int n, spmv_error *err)
{
    const int size = spmv_comm_size(comm);
    spmv_status st = SPMV_SUCCESS;
    *out = calloc((size_t)size * (size_t)n, sizeof **out);
    if (*out == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store what %d ranks say", size);
    st = spmv_comm_agree(comm, st, err);
    if (st == SPMV_SUCCESS) spmv_comm_gather(comm, mine, n, *out);
    return st;
}
