/* gpu_pieces.h -- a product of matrices of the host, made on a GPU in pieces of rows. */
#pragma once

#include "core/spgemm/spgemm.h"
#include "cuda/gpu/context.h"
#include "cuda/spgemm/gpu_product.h"

/* A product whose entries are counted, and memory of the GPU in which pieces of it are made.  All
 * zero is empty. */
typedef struct spmv__gpu_pieces {
    const spmv__spgemm *job;
    spmv__gpu *gpu;
    spmv_gpu_matrix *A, *B; /* owned; B is NULL where it is A */
    spmv__gpu_product product;
    int64_t *row_ptr; /* [rows + 1] of all entries, of which some may not be kept */
    int64_t room;     /* entries of a piece, at most */
    int32_t *gpu_col; /* [room] on the GPU */
    void *gpu_val;    /* [room] */
    int32_t *col;     /* [room] of a piece whose entries are selected, else NULL */
    double *sum;      /* [room * parts] */
    uint64_t *size;   /* [room] scratch of selecting */
    double seconds;   /* that the GPU took */
} spmv__gpu_pieces;

/* Bring the matrices of `job`, which stays where it is, to the GPU, and count.  On failure *out
 * holds nothing.  Errors: those of spmv_spgemm_gpu. */
spmv_status spmv__gpu_pieces_open(spmv__gpu_pieces *out, const spmv__spgemm *job, spmv_context *ctx,
                                  spmv_error *err);
void spmv__gpu_pieces_close(spmv__gpu_pieces *p);

/* Divide what is free on the GPU: pieces of up to `most` entries, but at least one row.  Errors:
 * OUT_OF_MEMORY, CUDA_MALLOC (the longest row does not fit). */
spmv_status spmv__gpu_pieces_allocate(spmv__gpu_pieces *p, int64_t most, spmv_error *err);

/* The row behind the piece that begins with row `begin`. */
int64_t spmv__gpu_pieces_end(const spmv__gpu_pieces *p, int64_t begin);

/* Make rows begin .. end - 1, and bring what is kept of them to the host.
 *
 *   counts    [end - begin] entries that the rows keep
 *   col, val  have room for all their entries, kept or not; col is NULL where they are only counted
 *
 * The GPU of the pieces must be the current one of the calling thread.  Errors: KERNEL_LAUNCH,
 * CUDA_MEMCPY. */
spmv_status spmv__gpu_pieces_make(spmv__gpu_pieces *p, int64_t begin, int64_t end, int64_t *counts,
                                  int32_t *col, void *val, spmv_error *err);
