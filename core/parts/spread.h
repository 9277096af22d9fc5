/* spread.h -- what rank 0 has, for each rank its own. */
#pragma once

#include "core/comm/transport.h"

/* mine [begin[rank + 1] - begin[rank]] = the elements begin[rank] .. of whole, of `size` bytes
 * each, and back; `whole` is used on rank 0 only, which knows all of begin [size + 1], and the
 * others where their own elements begin and end.  Errors, which all ranks have together:
 * OUT_OF_MEMORY. */
spmv_status spmv__spread(spmv_comm *comm, const int64_t *begin, size_t size, const void *whole,
                         void *mine, spmv_error *err);
spmv_status spmv__collect(spmv_comm *comm, const int64_t *begin, size_t size, const void *mine,
                          void *whole, spmv_error *err);

/* whole [rows + 1] = what all rows up to each one come to, such as their entries; on rank 0, and
 * NULL elsewhere.  own [own rows + 1] says that of the rows of this rank alone, and begins with 0.
 * Errors as above. */
spmv_status spmv__collect_sums(spmv_comm *comm, const int64_t *row_begin, const int64_t *own,
                               int64_t *whole, spmv_error *err);

/* As spmv_part_spread, with equal numbers of nonzeros for each rank, wherever in a row these end;
 * A is CSR, and NULL but on rank 0. */
spmv_status spmv__spread_nonzeros(spmv_part *out, spmv_comm *comm, const spmv_csr *A,
                                  spmv_error *err);
