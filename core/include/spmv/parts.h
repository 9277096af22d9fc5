/* spmv/parts.h -- a matrix of which each rank has some rows; a chapter of spmv.h, which has the
 * conventions. */
#ifndef SPMV_PARTS_H
#define SPMV_PARTS_H

#include "spmv/comm.h"
#include "spmv/file.h"
#include "spmv/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the rows are cut by. */
typedef enum spmv_partition {
    SPMV_PARTITION_NNZ = 0, /* equal work: 12 bytes for each nonzero and 24 for each row */
    SPMV_PARTITION_ROWS,    /* equal numbers of rows */
    /* Equal numbers of nonzeros, cut also within rows: the simple scheme that others have
     * published, to compare with.  Rank 0 has all of x and y; it sends x to all others and adds
     * their sums up in the order of the ranks: the bits depend on how many these are. */
    SPMV_PARTITION_NONZEROS,
    SPMV_PARTITION_GIVEN /* as spmv_part_assign was told; nothing is cut by it */
} spmv_partition;

/* The rows of one rank, and what all know of the whole matrix. */
typedef struct spmv_part {
    int64_t rows, cols, nnz; /* of the whole matrix */
    int64_t *row_begin;  /* [size + 1] rank k has the rows row_begin[k] .. row_begin[k + 1] - 1, */
    int64_t *col_begin;  /* [size + 1] and these elements of x; the same in a square matrix */
    int64_t first_entry; /* entries in all rows before those of this rank */
    spmv_csr own;        /* the rows of this rank, with the columns of the whole matrix */
    spmv_partition by;   /* with NONZEROS row_begin and col_begin give all to rank 0, and own ... */
    int64_t first_row;   /* ... begins in this row, some of whose entries others may have */
    /* With GIVEN the rows are numbered anew, those of rank 0 first, and in a square matrix the
     * columns, too, which then do not ascend within a row.  Otherwise these are NULL: */
    int64_t *row_number, *col_number; /* [rows] on rank 0: the new number of each row, and of each
                                         column: the same array, or NULL where not square */
    int64_t *step; /* [own.rows] rows and entries of the matrix before each row, in its order */
} spmv_part;

/* Hand out the rows of a matrix that rank 0 has, in any format; A is NULL on the other ranks.  Each
 * rank then has a copy of its rows.
 * Errors: UNSUPPORTED (symmetry not expanded), INVALID_DIMENSION (too many columns for CSR),
 * OUT_OF_MEMORY. */
spmv_status spmv_part_spread(spmv_part *out, spmv_comm *comm, const spmv_matrix *A,
                             spmv_partition by, spmv_error *err);
void spmv_part_destroy(spmv_part *part);

/* Send each row of a matrix to the rank that the caller names; a part has its rows in the order of
 * the matrix, and may have none.  In a square matrix the elements of x go with the rows.
 *
 *   part          cut by NNZ or ROWS; where this fails, it is only to be destroyed
 *   rank_of_row   [part->rows] on rank 0, each in 0 .. ranks - 1; the others may give NULL
 *
 * Such a part is for vectors and for the product on the CPU; its rows do not lie as in the matrix.
 * Errors, which all ranks have together: INVALID_ARGUMENT (no such rank; another part),
 * OUT_OF_MEMORY.  Memory: on each rank its rows twice, and 12 bytes for each row of the matrix. */
spmv_status spmv_part_assign(spmv_part *part, spmv_comm *comm, const int32_t *rank_of_row,
                             spmv_error *err);

/* Bring all rows together on rank 0, in CSR; out is used there only.
 * Errors: INVALID_ARGUMENT (a part that is not cut by NNZ or ROWS), OUT_OF_MEMORY. */
spmv_status spmv_part_collect(spmv_matrix *out, spmv_comm *comm, const spmv_part *part,
                              spmv_error *err);

/* out = the transposed matrix, cut by NNZ.
 *
 *   part   cut by NNZ or ROWS; it stays as it is
 *
 * Memory: a further copy of the entries, and 8 bytes for each row of the whole, on rank 0 24.
 * Errors: INVALID_ARGUMENT (another part), INVALID_DIMENSION (too many rows to be columns),
 * OUT_OF_MEMORY. */
spmv_status spmv_part_transpose(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                spmv_error *err);

/* Leave out the entries on the diagonal of such a part, or those whose value is 0 (none in a
 * pattern), in place.  Errors: INVALID_ARGUMENT (another part). */
spmv_status spmv_part_drop_diagonal(spmv_part *part, spmv_comm *comm, spmv_error *err);
spmv_status spmv_part_drop_zeros(spmv_part *part, spmv_comm *comm, spmv_error *err);

/* out = each edge of a graph both ways, cut by NNZ, as spmv_symmetrize has it.
 *
 *   part   square, cut by NNZ or ROWS; it stays as it is
 *
 * Memory: that of spmv_part_transpose, and two further copies of the entries.
 * Errors: INVALID_ARGUMENT (another part), INVALID_DIMENSION (not square), OUT_OF_MEMORY. */
spmv_status spmv_part_symmetrize(spmv_part *out, spmv_comm *comm, const spmv_part *part,
                                 spmv_error *err);

/* Read a matrix of which each rank gets some rows.  Of a general matrix in a binary file of CSR
 * each rank reads its own rows and no others, and all together check the file; of a Matrix Market
 * file that is not packed, with coordinates that are not complex, each reads some lines.  Any other
 * input, and what is odd or wrong, rank 0 reads, and spreads what it has read.
 *
 *   path, options  as for spmv_read, the same on all ranks; a triangle that is kept is refused
 *   info           that of rank 0, which alone has the labels, the caller's to destroy; may be NULL
 *
 * Errors: those of spmv_read and spmv_part_spread. */
spmv_status spmv_read_part(spmv_part *out, spmv_comm *comm, const char *path, spmv_partition by,
                           const spmv_read_options *options, spmv_file_info *info, spmv_error *err);

/* Read for spmv_part_assign who has which row: text with one number of a rank on each line, from 0
 * on, as METIS and others write them for the vertices of a graph.  path is as for spmv_read; of the
 * options those of one file count; they may be NULL.
 *
 *   out     [rows], the caller's to free()
 *   ranks   how many there are; some may have no rows
 *
 * Errors: those of spmv_read_vector; INVALID_FORMAT (no such rank, with line and column),
 * INVALID_DIMENSION (another number of rows). */
spmv_status spmv_read_partition(int32_t **out, const char *path, int64_t rows, int ranks,
                                const spmv_read_options *options, spmv_error *err);

/* Let METIS make such a partition, so that parts are about equal by NNZ and ranks exchange few
 * elements of x: a cut through the graph in which an entry at (i, j) joins the vertices i and j.
 * The same call gives the same partition; some ranks may have no rows.
 *
 *   out   [A->rows], the caller's to free()
 *   A     square; its values do not matter
 *
 * METIS is loaded by the first call.  It seeds rand() and draws from it, and while it works SIGABRT
 * and SIGTERM are its own.  Time, of one thread: half a microsecond for each entry of a
 * grid, up to 13 where entries are random.  Memory: 50 to 150 bytes for each entry.
 * Errors: UNSUPPORTED (no METIS; symmetry not expanded; more entries than METIS, as it was built,
 * can count), INVALID_DIMENSION (not square), OUT_OF_MEMORY. */
spmv_status spmv_partition_graph(int32_t **out, const spmv_csr *A, int ranks, spmv_error *err);

/* Write a matrix of which each rank has some rows: the bytes that spmv_write gives, in one file
 * that appears whole or not at all.
 *
 * A binary file (CSR) that is neither a pipe nor compressed, and that all ranks find in the file
 * system, is written by all at once, each its rows.  Lines of Matrix Market each rank makes of its
 * rows, and rank 0 writes them.  For any other output it brings all rows together.
 *
 *   path, options  as for spmv_write, the same on all ranks; of the labels those of rank 0 count
 *
 * Errors: those of spmv_write, INVALID_ARGUMENT (not cut by NNZ or ROWS).  Memory: for binary files
 * 8 bytes for a row of this rank, and 2 MB; for Matrix Market about 80 MB, less for fewer than a
 * million entries.
 */
spmv_status spmv_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                            const spmv_write_options *options, spmv_error *err);

/* Hand out the elements of vectors that rank 0 has, and bring them together there.
 *
 *   begin    [size + 1] whose they are: row_begin or col_begin of a part
 *   number   its row_number or col_number: of each element its number among those of all ranks;
 *            NULL: they have the same order
 *   whole    used on rank 0 only, as `number` is; vectors lie on the host, by columns
 *
 * Errors, which all ranks have together: INVALID_DIMENSION (other numbers of elements than `begin`
 * says), INVALID_ARGUMENT, OUT_OF_MEMORY. */
spmv_status spmv_part_scatter(spmv_dense *mine, spmv_comm *comm, const int64_t *begin,
                              const int64_t *number, const spmv_dense *whole, spmv_error *err);
spmv_status spmv_part_gather(spmv_dense *whole, spmv_comm *comm, const int64_t *begin,
                             const int64_t *number, const spmv_dense *mine, spmv_error *err);

/* y = alpha A x + beta y on all ranks, as often as one likes.  Each sum is made in the order in
 * which one process makes it with the kernel cpu-csr: the same bits whatever the ranks and threads
 * are.
 *
 *   part         its rows become the operator's, which takes them over; the rest stays
 *   vector_type  of x and y, which spmv_type_multiplies allows
 *   threads      of each rank; 0: all
 *
 * Elements of x that a rank needs of others are sent while it multiplies what needs none of them.
 * With NNZ a row of more than an eighth of a rank's share of the bytes, in which a share ends, is
 * multiplied by all whose shares it reaches into: they get its entries here, and their sums, one
 * for each of at most 256 pieces of the matrix, go to the rank that has the row, in each product.
 * Errors: INVALID_ARGUMENT (types), OUT_OF_MEMORY. */
typedef struct spmv_part_operator spmv_part_operator;
spmv_status spmv_part_operator_create(spmv_part_operator **out, spmv_comm *comm, spmv_part *part,
                                      spmv_type vector_type, int threads, spmv_error *err);
void spmv_part_operator_destroy(spmv_part_operator *op);

/* Where the elements of x lie that this rank has: the caller writes them there. */
void *spmv_part_operator_x(spmv_part_operator *op);

/* y: the elements of this rank; it is read only when beta != 0. */
void spmv_part_operator_apply(spmv_part_operator *op, spmv_scalar alpha, spmv_scalar beta, void *y);

/* The same for each column of x and y, elements of this rank, one after the other; what stands in
 * the operator's x is lost where they are several, and else is x already.  Returns the seconds for
 * packing and waiting. */
double spmv_part_operator_apply_columns(spmv_part_operator *op, spmv_scalar alpha,
                                        const spmv_dense *x, spmv_scalar beta, spmv_dense *y);

/* What one multiplication costs this rank. */
typedef struct spmv_part_costs {
    int64_t rows, nnz;      /* nnz: that it multiplies, also of a row of another rank */
    int64_t owned;          /* elements of x that it has */
    int64_t received, sent; /* elements of x; with NONZEROS of y, too; no sums of single rows */
    int neighbours;         /* ranks that something comes from */
    int receivers;          /* ranks that something goes to */
    double exchange_s;      /* of the last one: seconds for packing and waiting */
} spmv_part_costs;
spmv_part_costs spmv_part_operator_costs(const spmv_part_operator *op);

/* out [parts] = the costs that the operator of each of so many ranks would have, without the ranks:
 * exchange_s is 0.
 *
 *   by            NNZ, ROWS or GIVEN, and then
 *   rank_of_row   [A->rows] as for spmv_part_assign; else NULL
 *
 * Time: that of looking at each entry once.  Memory: 8 bytes for each column, 32 for each part, and
 * with GIVEN 16 for each row.  Errors: INVALID_ARGUMENT (fewer than one part, no such rank),
 * UNSUPPORTED (symmetry not expanded), OUT_OF_MEMORY. */
spmv_status spmv_part_predict(spmv_part_costs *out, int parts, const spmv_csr *A, spmv_partition by,
                              const int32_t *rank_of_row, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
