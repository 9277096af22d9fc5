/* quick.h -- the quick way from the lines of a coordinate file to CSR.
 *
 * The body comes in blocks that end where lines end, cut from memory or unpacked meanwhile.  Any
 * number of threads read them side by side and put the entries into buckets of rows
 * (core/assemble/buckets.h), which are then sorted one by one.  The order of the file survives, so
 * that the result does not depend on the threads, nor on where the blocks were cut.
 *
 * Lines in the form that writers give them are read as a whole (quick_line.h); every other goes to
 * spmv__mtx_read_entries.  The quick way never says what is wrong with a file: where it cannot go
 * on, the careful way reads again from the beginning, and finds the same words as ever. */
#pragma once

#include "core/assemble/assembly.h"
#include "formats/mtx/mtx.h"

/* The outcome of a block, or of all of them. */
typedef enum spmv__mtx_verdict {
    SPMV__MTX_READ,
    SPMV__MTX_FAULT, /* there is something wrong with a line */
    SPMV__MTX_ODD,   /* something that the quick way cannot place */
    SPMV__MTX_MEMORY /* there is not enough */
} spmv__mtx_verdict;

/* Facts that threads find out, block by block. */
typedef struct spmv__mtx_tally {
    spmv__mtx_verdict verdict;
    int64_t given, skipped; /* entries in the file, and those outside the matrix */
    bool below;             /* one lies below the diagonal */
    spmv__text text;        /* what was odd */
} spmv__mtx_tally;

typedef struct spmv__mtx_job {
    const spmv__mtx_reader *reader;
    uint64_t base;        /* of the indices in the file */
    spmv_symmetry images; /* an entry off the diagonal stands for its image too; GENERAL: no */
} spmv__mtx_job;

/* Read the lines of a block, from text.p to text.end of a tally for each half, and put their
 * entries into buckets: each half has a writer. */
enum { SPMV__MTX_HALVES = 2 };
void spmv__mtx_put_block(const spmv__mtx_job *job, spmv__bucket_writer *writer,
                         spmv__mtx_tally *tally);

/* Returns whether an entry at (row, col) may be taken as it is; otherwise it may be one above the
 * diagonal, or the careful way decides.
 * Columns have an end in either case, so that in a general matrix no branch depends on the side of
 * the diagonal, which nothing foretells. */
static inline bool spmv__mtx_accepts(const spmv__mtx_header *header, uint64_t row, uint64_t col)
{
    const uint64_t end = header->symmetry == SPMV_GENERAL ? (uint64_t)header->cols
                                                          : row + (header->symmetry != SPMV_SKEW);
    return row < (uint64_t)header->rows && col < end;
}

/* Returns whether it is the image of one that may. */
static inline bool spmv__mtx_accepts_image(const spmv__mtx_header *header, uint64_t row,
                                           uint64_t col)
{
    return header->symmetry != SPMV_GENERAL && row < col && col < (uint64_t)header->cols;
}
