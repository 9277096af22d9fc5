/* spread_nonzeros.h -- equal numbers of nonzeros for each rank, wherever in a row these end. */
#pragma once

#include "core/comm/transport.h"

/* As spmv_part_spread; A is CSR, and NULL but on rank 0. */
spmv_status spmv__spread_nonzeros(spmv_part *out, spmv_comm *comm, const spmv_csr *A,
                                  spmv_error *err);
