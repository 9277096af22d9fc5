/* merge_shares.h -- parts of a matrix whose entries the ranks have found wherever they were. */
#pragma once

#include "core/comm/transport.h"
#include "core/matrix/format.h"

/* Each rank has some of the entries of a matrix in CSR, all of the same shape and type; they come
 * together by rows, as spmv_part_spread has them.
 * Errors, which all ranks have together: OUT_OF_MEMORY; INVALID_FORMAT (an entry that two ranks
 * have).  Memory: the pointers of all rows twice on rank 0, and the part twice on each. */
spmv_status spmv__part_merge(spmv_part *out, spmv_comm *comm, const spmv_csr *share,
                             spmv_partition by, spmv_error *err);
