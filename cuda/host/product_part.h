/* product_part.h -- the rows of a product that one of several GPUs makes. */
#pragma once

#include "core/base/meter.h"
#include "cuda/host/gpu_pieces.h"

/* Neighbouring rows of A and C.  All zero is empty. */
typedef struct spmv__product_part {
    spmv__spgemm job;        /* what is multiplied: views of the whole */
    spmv_csr mask;           /* where there is one: the view that job.mask points to */
    int64_t begin, first;    /* rows of C, and entries that these have at most, before it */
    spmv__gpu_pieces pieces; /* owned */
    int64_t kept;            /* entries of its rows, of which some may not be kept */
    spmv_spgemm_gpu_share share;
} spmv__product_part;

/* Bring rows begin .. end - 1 of A to a GPU, with the rows of B from the first to the last that
 * they meet, and count their entries.  *out stays where it is, and holds nothing on failure.
 * Errors: those of spmv_spgemm_gpu. */
spmv_status spmv__product_part_open(spmv__product_part *out, const spmv__spgemm *whole,
                                    int64_t begin, int64_t end, spmv_context *ctx, spmv_error *err);
void spmv__product_part_close(spmv__product_part *part);

/* Make its rows: their numbers of entries at C->row_ptr[row + 1], and what is kept of them from
 * entry `first` of C on.  Its GPU is the current one.  Errors: those of spmv_spgemm_gpu. */
spmv_status spmv__product_part_make(spmv__product_part *part, spmv_csr *C, spmv__meter *meter,
                                    spmv_error *err);
