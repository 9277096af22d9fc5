/* csr_merge.cuh -- how csr-merge divides a matrix: what its plan makes and its kernel reads. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

constexpr int MERGE_WIDTH = 8;                 /* entries of a tile for each lane */
constexpr int MERGE_ROOM = WARP * MERGE_WIDTH; /* entries for a warp */
constexpr int MERGE_ROWS = 254;                /* in a tile, at most: counted in bytes */

/* A row of up to MERGE_LONGEST entries is never in pieces, as it fits into a tile wherever it
 * begins; one of more than MERGE_ROOM entries always is.  Between them a row is in pieces unless it
 * happens to fit behind the rows before it: only the tiles say so, and never its length. */
constexpr int MERGE_LONGEST = MERGE_ROOM - MERGE_WIDTH + 1;

/* A tile goes up to the next one: whole rows from `row` on, or when row < 0 a piece of long row
 * number ~row; below LEFT_OUT, all of long row number ~(row - LEFT_OUT), with nothing to do.  Its
 * entries begin at p. */
template <class I>
struct merge_tile {
    I row, p;
};
constexpr int LEFT_OUT = -(1 << 30);

/* A row whose pieces are the tiles first to last; that of tile `first` is number `piece` of all. */
struct merge_long_row {
    int64_t row, first, last, piece;
    unsigned done; /* pieces, for who counts them during a launch; 0 before and after */
};

/* Returns one past the last row of a tile of whole rows, where the next one begins. */
template <class I>
__device__ inline I end_row(merge_tile<I> next, const merge_long_row *long_rows)
{
    if (next.row >= 0) return next.row;
    return (I)long_rows[~(next.row < LEFT_OUT ? next.row - LEFT_OUT : next.row)].row;
}

/* The tiles from `first` on, of whole rows: where it is not known what lies behind the columns of a
 * matrix, they read a copy of their columns, from entry `begin` on, behind which zeros lie. */
struct merge_rest {
    int64_t first; /* the number of tiles where there are none */
    int64_t begin;
    int32_t *col_idx; /* owned, on the device */
};

/* A plan, whose arrays are on the device. */
struct merge_plan {
    int64_t tiles, long_rows, pieces;
    merge_rest rest;
    void *tile;               /* merge_tile<I> [tiles + 1] */
    merge_long_row *long_row; /* [long rows] */
    void *sums;               /* [pieces], flagged sums, empty, with room for complex numbers */
};

/* `longest` entries of a piece at most, a multiple of MERGE_ROOM; rows with more than `most`
 * entries are left out, which is MERGE_ROOM at least: only those are in no tile of whole rows. */
spmv_status merge_plan_create(merge_plan **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              int longest, int64_t most, spmv_error *err);
void merge_plan_destroy(void *plan); /* NULL is fine */

/* Returns the length of pieces for so many slots: as long as a GPU stays full with pieces alone. */
int merge_piece_for(int64_t slots);

/* Multiply with such a plan, whatever kernel it was asked of. */
spmv_status merge_launch(const spmv__launch *run, merge_plan *plan, spmv_error *err);

constexpr const char *CSR_MERGE = "csr-merge";

/* Returns the name of this kernel where a plan that was made for elements of `planned` bytes does
 * not hold for such vectors, else NULL. */
inline const char *merge_instead(int planned, spmv_type vectors)
{
    return (int)spmv_type_size(vectors) <= planned ? NULL : CSR_MERGE;
}

/* Several vectors stored by rows: merge_spmm.cu. */
extern const spmv__gpu_spmm merge_spmm;

} // namespace spmv
