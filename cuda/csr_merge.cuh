/* csr_merge.cuh -- how csr-merge divides a matrix: what its plan makes and its kernel reads. */
#ifndef SPMV_CSR_MERGE_CUH
#define SPMV_CSR_MERGE_CUH

#include "wide.cuh"

namespace spmv
{

constexpr int MERGE_LOADS = 2;                         /* wide loads of each lane for a tile */
constexpr int MERGE_ROOM = MERGE_LOADS * WARP * WIDTH; /* entries that they reach */
constexpr int MERGE_ROWS = 255;                        /* in a tile, at most: counted in bytes */

/* A tile goes up to the next one: whole rows from `row` on, or when row < 0 a piece of long row
 * number ~row.  Its entries begin at p. */
template <class I>
struct merge_tile {
    I row, p;
};

/* A row whose pieces are the tiles first to last. */
struct merge_long_row {
    int64_t row, first, last;
    unsigned done; /* pieces, during a launch; 0 before and after */
};

/* On the device. */
struct merge_plan {
    int64_t tiles, long_rows;
    void *tile;               /* merge_tile<I> [tiles + 1] */
    merge_long_row *long_row; /* [long_rows] */
    void *pieces;             /* [tiles], sums of pieces, with room for complex ones */
};

spmv_status merge_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              const spmv_config *config, spmv_error *err);
void merge_plan_destroy(void *plan);

} // namespace spmv

#endif
