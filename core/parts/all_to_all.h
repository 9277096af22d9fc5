/* all_to_all.h -- elements of arrays, or rows of CSR, from every rank to every other. */
#pragma once

#include "core/comm/transport.h"
#include "core/matrix/format.h"

/* Each rank k gets the elements give_begin[k] .. give_begin[k + 1] - 1 of `give`, of `size` bytes
 * each, and what comes from it goes to take_begin[k] .. take_begin[k + 1] - 1 of `take`; both
 * [comm->size + 1], and the numbers of both sides agree.  What a rank gives itself is copied.
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__all_to_all(spmv_comm *comm, size_t size, const void *give,
                             const int64_t *give_begin, void *take, const int64_t *take_begin,
                             spmv_error *err);

/* Each rank k gets the rows give[k] .. give[k + 1] - 1 of `from`; *out becomes what comes, in which
 * the rows take[k] .. take[k + 1] - 1 are those of rank k.  Both are [comm->size + 1], and the
 * numbers of both sides agree.  Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__all_to_all_rows(spmv_csr *out, spmv_comm *comm, const spmv_csr *from,
                                  const int64_t *give, const int64_t *take, spmv_error *err);
