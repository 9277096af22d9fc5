/* no_metis.c -- a build without METIS, which cuts no graphs. */
#include "core/base/base.h"

spmv_status spmv_partition_graph(int32_t **out, const spmv_csr *A, int ranks, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && ranks >= 1, err);
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "this build cannot cut graphs: it has no METIS");
}
