/* spmv/rows.h -- a matrix that comes as pieces of rows; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_ROWS_H
#define SPMV_ROWS_H

#include "spmv/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Neighbouring rows begin .. end - 1 of a matrix in CSR, which lend their entries for one call. */
typedef struct spmv_row_piece {
    int64_t begin, end;
    int64_t n;              /* entries */
    const int32_t *col_idx; /* [n] */
    const void *val;        /* [n] of the type of the matrix; NULL for a pattern */
} spmv_row_piece;

/* Memory in which a consumer prepares a piece.  It begins all zero; a consumer enlarges `data` as
 * it needs, and finds it again with another piece.  The function that makes the pieces frees it. */
typedef struct spmv_piece_memory {
    void *data;
    int64_t room; /* bytes */
    int64_t size; /* bytes of them that are in use */
} spmv_piece_memory;

/* Who takes a matrix piece by piece.  Each call that fails ends the work, which then returns its
 * status and error.
 *
 *   begin    once, before any piece: C is the matrix with its number of entries and its row_ptr,
 *            but without col_idx and val; it stays where it is until the last piece is taken
 *   prepare  for each piece what needs no other: any thread calls it, several at a time, in any
 *            order.  NULL: nothing
 *   take     each piece in its order, one at a time, on any thread, with what was prepared of it.
 *            The pieces follow each other without a gap, from row 0 to the last */
typedef struct spmv_row_consumer {
    spmv_status (*begin)(void *user, const spmv_csr *C, spmv_error *err);
    spmv_status (*prepare)(void *user, const spmv_row_piece *piece, spmv_piece_memory *memory,
                           spmv_error *err);
    spmv_status (*take)(void *user, const spmv_row_piece *piece, const spmv_piece_memory *memory,
                        spmv_error *err);
    void *user;
} spmv_row_consumer;

#ifdef __cplusplus
}
#endif
#endif
