/* csr_panels.cuh -- how csr-panels cuts rows: what its plan makes and its kernels read.
 *
 * Columns of a row ascend, so that what a row has in a panel of x, a part of the row, are
 * neighbouring entries, and the matrix stays as it is: a plan says where they begin and end, and
 * who takes them. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"

namespace spmv
{

/* Neighbouring entries, [begin, end), of a part; the place of their sum among those of all. */
struct panel_piece {
    int32_t begin, end, place;
};

/* Pointers into device memory.  Part i is that of row i % rows of those in panels, in panel
 * i / rows; the sums of a row are neighbours. */
struct panels_plan {
    merge_plan *all;  /* on the host, for what is not planned for */
    merge_plan *rest; /* on the host, of the rows that are not in panels, or NULL */
    int x_size;       /* bytes of an element of x that were planned for; 0: no row is in panels */
    int panel;        /* columns */
    int blocks;
    int64_t rows, panels;
    int32_t *row;         /* [rows], which ones */
    int32_t *first_piece; /* [panels * rows + 1], of part i */
    int32_t *first_sum;   /* [rows * panels + 1], of panel i % panels in row i / panels */
    panel_piece *piece;
    int32_t *first_of_block; /* [blocks + 1], the first piece of each block */
    void *sums;              /* of the pieces */
};

spmv_status panels_plan_create(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                               const spmv_kernel_options *options, spmv_error *err);
void panels_plan_destroy(void *plan);

} // namespace spmv
