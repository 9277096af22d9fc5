/* mtx_csr.h -- the quick way from the lines of a coordinate file to CSR.
 *
 * The body is cut into blocks that end where lines end, which any number of threads read side by
 * side, twice: first to count the entries by bucket of rows (core/assemble.h), then to put each of
 * them where the counts say.  The order of the file survives within a bucket, so that the result
 * does not depend on the threads, nor on where the blocks were cut.
 *
 * Lines in the form that writers give them are read as a whole (mtx_line.h); every other goes to
 * spmv__mtx_read_entries.  The quick way never says what is wrong with a file: where it cannot go
 * on, the careful way reads again from the beginning, and finds the same words as ever. */
#ifndef SPMV_FORMATS_MTX_CSR_H
#define SPMV_FORMATS_MTX_CSR_H

#include "../core/assemble.h"
#include "mtx.h"

/* What became of a block, or of them all. */
typedef enum spmv__mtx_verdict {
    SPMV__MTX_READ,
    SPMV__MTX_FAULT, /* there is something wrong with a line */
    SPMV__MTX_ODD    /* something that the quick way cannot place: an upper triangle */
} spmv__mtx_verdict;

/* What threads find out, block by block. */
typedef struct spmv__mtx_tally {
    spmv__mtx_verdict verdict;
    int64_t given, skipped; /* entries in the file, and those outside the matrix */
    spmv__text text;        /* what was odd */
} spmv__mtx_tally;

typedef struct spmv__mtx_job {
    const spmv__mtx_reader *reader;
    uint64_t base; /* of the indices in the file */
    bool columns;  /* they are looked at the first time already */
    bool both;     /* an entry off the diagonal stands for its mirror image too */
    int64_t blocks;
    const unsigned char **cut; /* [blocks + 1] where they begin, and the end of the text */
    int64_t *place;            /* [(blocks + 1) * buckets] entries of block and bucket: how
                                  many; then where they begin, and where the bucket ends */
    spmv__assembly to;
} spmv__mtx_job;

/* Read block b for the first time: count its entries in count [buckets]. */
void spmv__mtx_count_block(const spmv__mtx_job *job, int64_t b, int64_t *count,
                           spmv__mtx_tally *tally);

/* Read it for the second time: put its entries where job->place says; next is [buckets] scratch. */
void spmv__mtx_place_block(const spmv__mtx_job *job, int64_t b, int64_t *next,
                           spmv__mtx_tally *tally);

/* May an entry at (row, col) be taken as it is?  Else the careful way decides. */
static inline bool spmv__mtx_takes(const spmv__mtx_header *header, uint64_t row, uint64_t col)
{
    if (row >= (uint64_t)header->rows || col >= (uint64_t)header->cols) return false;
    return header->symmetry == SPMV_GENERAL || row > col ||
           (row == col && header->symmetry != SPMV_SKEW);
}

/* One entry, read the careful way. */
typedef struct spmv__mtx_single {
    spmv__mtx_entries entries; /* n is 1, or 0 when it is not to be stored */
    int64_t row, col;
    spmv_scalar val;
} spmv__mtx_single;

void spmv__mtx_single_init(spmv__mtx_single *single, const spmv__mtx_reader *reader);

/* Read the next entry of tally->text, if there is one, and count it as given.  False at the end of
 * the text, or when the verdict has become one to stop at. */
bool spmv__mtx_read_single(spmv__mtx_single *single, spmv__mtx_tally *tally);

#endif
