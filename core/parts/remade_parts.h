/* remade_parts.h -- parts that are made of parts. */
#pragma once

#include "core/comm/transport.h"

/* A part without rows of its own yet: who has which rows, and which columns.  Of this rank alone.
 * Errors: OUT_OF_MEMORY. */
spmv_status spmv__part_frame(spmv_part *out, const spmv_comm *comm, int64_t rows, int64_t cols,
                             const int64_t *row_begin, spmv_error *err);

/* Say where the part's entries lie in the whole matrix, when all ranks have their rows. */
void spmv__part_place(spmv_part *part, spmv_comm *comm);

/* out = the same matrix, of which rank k has the rows row_begin[k] .. row_begin[k + 1] - 1.
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__part_move(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                            const int64_t *row_begin, spmv_error *err);
