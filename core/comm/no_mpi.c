/* no_mpi.c -- a build without MPI, whose processes stay alone. */
#include "core/base/base.h"

spmv_status spmv_comm_join(spmv_comm **out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "this build cannot use MPI: it has none");
}

bool spmv_comm_can_join(void)
{
    return false;
}
