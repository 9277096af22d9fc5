/* join_test.c -- a process joins MPI, and cannot do so again once it has left. */
#include "spmv.h"

#include <criterion/criterion.h>

Test(join, cannot_begin_again)
{
    spmv_comm *comm = NULL;
    spmv_error err;

    if (!spmv_comm_can_join()) cr_skip("this build has no MPI");
    const spmv_status first = spmv_comm_join(&comm, &err);
    if (first == SPMV_ERROR_UNSUPPORTED) cr_skip("MPI cannot be loaded");
    cr_assert_eq(first, SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_comm_size(comm), 1);
    spmv_comm_close(comm);
    cr_assert_eq(spmv_comm_join(&comm, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(comm);
    cr_assert_str_eq(err.message, "MPI has ended, and cannot begin anew");
}
