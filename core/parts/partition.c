/* partition.c -- rows in as many neighbouring parts as there are ranks.
 *
 * A part costs what it reads: 12 bytes for each nonzero, 24 for each row (its pointer and the
 * elements of x and y).  Its end is found by binary search where these reach its share. */
#include "core/parts/partition.h"
#include "core/parts/spread.h"

#include <stdlib.h>

static double weight_before(const int64_t *ptr, int64_t i)
{
    return ptr != NULL ? spmv__part_weight(i, ptr[i]) : (double)i;
}

/* The place from `low` to n that is nearest to having that weight before it. */
static int64_t find_place(const int64_t *ptr, int64_t low, int64_t n, double weight)
{
    const int64_t first = low;
    int64_t high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (weight_before(ptr, middle) < weight)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > first && weight - weight_before(ptr, low - 1) < weight_before(ptr, low) - weight)
        low--;
    return low;
}

void spmv__share_out(int64_t *begin, int size, int64_t n, const int64_t *ptr)
{
    const double all = weight_before(ptr, n);
    begin[0] = 0;
    for (int k = 1; k < size; k++) begin[k] = find_place(ptr, begin[k - 1], n, all * k / size);
    begin[size] = n;
}

spmv_status spmv__share_out_anew(int64_t *begin, spmv_comm *comm, const int64_t *row_begin,
                                 const int64_t *own, spmv_error *err)
{
    const int64_t rows = row_begin[comm->size];
    const bool root = comm->rank == 0;
    int64_t *whole = NULL;
    spmv_status st = SPMV_SUCCESS;
    if (root) st = spmv__alloc(&whole, rows + 1, sizeof *whole, "rows", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__collect_sums(comm, row_begin, own, whole, err));
    if (root) spmv__share_out(begin, comm->size, rows, whole);
    spmv__comm_broadcast(comm, begin, (comm->size + 1) * (int64_t)sizeof *begin, 0);
done:
    free(whole);
    return st;
}

void spmv__share_out_columns(int64_t *col_begin, int size, int64_t cols, const int64_t *row_begin)
{
    if (row_begin[size] == cols)
        memcpy(col_begin, row_begin, (size_t)(size + 1) * sizeof *col_begin);
    else
        spmv__share_out(col_begin, size, cols, NULL);
}

void spmv__part_cut(int64_t *row_begin, int64_t *col_begin, int size, int64_t rows, int64_t cols,
                    const int64_t *row_ptr, spmv_partition by)
{
    spmv__share_out(row_begin, size, rows, by == SPMV_PARTITION_NNZ ? row_ptr : NULL);
    spmv__share_out_columns(col_begin, size, cols, row_begin);
}

/* entry [size + 1]: where the entries of each rank begin; false where the pointers say nothing of
 * the kind. */
static bool place_entries(int64_t *entry, const spmv_part *part, const int64_t *row_ptr, int size)
{
    bool rises = row_ptr[0] == 0 && row_ptr[part->rows] == part->nnz;
    for (int k = 0; k <= size; k++) {
        entry[k] = row_ptr[part->row_begin[k]];
        rises = rises && (k == 0 || entry[k - 1] <= entry[k]);
    }
    return rises;
}

/* On rank 0. */
static spmv_status divide(spmv_part *part, int64_t *entry, int size, const int64_t *row_ptr,
                          spmv_partition by, spmv_error *err)
{
    spmv__part_cut(part->row_begin, part->col_begin, size, part->rows, part->cols, row_ptr, by);
    if (place_entries(entry, part, row_ptr, size)) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT, "row_ptr does not rise from 0 to %lld",
                      (long long)part->nnz);
}

spmv_status spmv__part_lay_out(spmv_part *out, spmv_comm *comm, spmv__part_head *head,
                               const int64_t *row_ptr, spmv_partition by, spmv_error *err)
{
    const int64_t n = comm->size + 1, bytes = n * (int64_t)sizeof(int64_t);
    const int k = comm->rank;
    int64_t *entry = NULL;
    spmv_part part = {0};
    spmv_status st;
    spmv__comm_broadcast(comm, head, sizeof *head, 0);
    part.rows = head->rows;
    part.cols = head->cols;
    part.nnz = head->nnz;
    st = spmv__alloc(&part.row_begin, n, sizeof(int64_t), "a partition", err);
    if (st == SPMV_SUCCESS)
        st = spmv__alloc(&part.col_begin, n, sizeof(int64_t), "a partition", err);
    if (st == SPMV_SUCCESS) st = spmv__alloc(&entry, n, sizeof *entry, "a partition", err);
    if (st == SPMV_SUCCESS && k == 0) st = divide(&part, entry, comm->size, row_ptr, by, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_broadcast(comm, part.row_begin, bytes, 0);
    spmv__comm_broadcast(comm, part.col_begin, bytes, 0);
    spmv__comm_broadcast(comm, entry, bytes, 0);
    part.first_entry = entry[k];
    part.first_row = part.row_begin[k];
    part.by = by;
    st = spmv_csr_create(&part.own, head->type, part.row_begin[k + 1] - part.row_begin[k],
                         part.cols, entry[k + 1] - entry[k], err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    *out = part;
    part = (spmv_part){0};
done:
    free(entry);
    spmv_part_destroy(&part);
    return st;
}

void spmv_part_destroy(spmv_part *part)
{
    if (part == NULL) return;
    free(part->row_begin);
    free(part->col_begin);
    free(part->row_number); /* col_number is the same array */
    free(part->step);
    spmv_csr_destroy(&part->own);
    *part = (spmv_part){0};
}
