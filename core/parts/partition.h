/* partition.h -- who has which rows. */
#pragma once

#include "core/matrix/format.h"

/* What rank 0 tells of a matrix before it is spread. */
typedef struct spmv__part_head {
    int64_t rows, cols, nnz;
    spmv_type type;
} spmv__part_head;

/* Bytes that one multiplication reads for these numbers of rows and nonzeros: what parts are cut
 * by. */
static inline double spmv__part_weight(int64_t rows, int64_t nnz)
{
    return 12 * (double)nnz + 24 * (double)rows;
}

/* Returns whether a part has whole rows, as they lie in the matrix. */
static inline bool spmv__part_is_in_order(const spmv_part *part)
{
    return part->by == SPMV_PARTITION_NNZ || part->by == SPMV_PARTITION_ROWS;
}

/* A call of a public function with a part of other rows is refused. */
#define SPMV__REQUIRE_IN_ORDER(part, err)                                                 \
    do {                                                                                  \
        if (!spmv__part_is_in_order(part))                                                \
            return spmv__fail((err), SPMV_ERROR_INVALID_ARGUMENT,                         \
                              "%s takes parts that are cut by nnz or by rows", __func__); \
    } while (0)

/* Share out n things whose weight in front of thing i is 12 ptr[i] + 24 i, or i where ptr is NULL:
 * begin [size + 1] ascends from 0 to n, whatever ptr [n + 1] holds. */
void spmv__share_out(int64_t *begin, int size, int64_t n, const int64_t *ptr);

/* Share out rows anew, whoever has them now: begin [size + 1] on all ranks, by what they come to,
 * as above; own [own rows + 1] says that of the rows of this rank, and begins with 0. Errors, which
 * all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__share_out_anew(int64_t *begin, spmv_comm *comm, const int64_t *row_begin,
                                 const int64_t *own, spmv_error *err);

/* Cut rows and columns: row_begin and col_begin [size + 1] as in spmv_part. */
void spmv__part_cut(int64_t *row_begin, int64_t *col_begin, int size, int64_t rows, int64_t cols,
                    const int64_t *row_ptr, spmv_partition by);

/* Share out the columns of a matrix whose rows are: as these in a square one, else equal numbers.
 */
void spmv__share_out_columns(int64_t *col_begin, int size, int64_t cols, const int64_t *row_begin);

/* Give each rank its place in the matrix that rank 0 describes by *head and row_ptr, which need not
 * have been checked, and memory for its rows, which is not filled.  *head becomes that of rank 0
 * everywhere.  Errors: OUT_OF_MEMORY, INVALID_FORMAT (row_ptr falls). */
spmv_status spmv__part_lay_out(spmv_part *out, spmv_comm *comm, spmv__part_head *head,
                               const int64_t *row_ptr, spmv_partition by, spmv_error *err);

/* Count the entries of the rows from 0 on, where row_ptr has been copied from the whole matrix. */
static inline void spmv__part_rebase(spmv_part *part)
{
    for (int64_t r = 0; r <= part->own.rows; r++) part->own.row_ptr[r] -= part->first_entry;
}
