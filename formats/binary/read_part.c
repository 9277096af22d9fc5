/* read_part.c -- rows of a binary file for each rank, which reads no others.
 *
 * All ranks map the file, and do not trust it: they take the blocks of the checksums by shares,
 * and check their rows when they have copied them.  Where these begin, and how many entries lie
 * before, is what rank 0 says, so that the copies fit together whatever happens to the file. */
#include "core/comm/transport.h"
#include "core/parts/partition.h"
#include "formats/binary/binary.h"

#include <string.h>

static spmv_status not_so(void)
{
    return SPMV_ERROR_UNSUPPORTED;
}

/* The matrix in the file, where it is one whose rows can be taken. */
static spmv_status map_rows(spmv_matrix *out, const spmv__source *src)
{
    spmv_status st;
    if (src->mapped == NULL || !spmv__binary_recognise(src->data, src->size)) return not_so();
    SPMV__TRY(spmv__binary_check_header(src, NULL));
    SPMV__TRY(spmv__binary_check_table(src, NULL));
    SPMV__TRY(spmv__binary_map(out, src, NULL));
    if (out->format != SPMV_CSR || out->head.symmetry != SPMV_GENERAL) st = not_so();
done:
    return st;
}

/* Every rank has the header that rank 0 has. */
static spmv_status compare_headers(spmv__binary_header *first, spmv_comm *comm,
                                   const spmv__source *src)
{
    const spmv__binary_header *mine = spmv__binary_header_of(src);
    *first = *mine;
    spmv__comm_broadcast(comm, first, sizeof *first, 0);
    return memcmp(first, mine, sizeof *first) == 0 ? SPMV_SUCCESS : not_so();
}

static spmv_status verify_checksums(spmv_comm *comm, const spmv__source *src, uint32_t sections)
{
    const spmv__binary_section *table = spmv__binary_table_of(src);
    spmv_status st = SPMV_SUCCESS;
    for (uint32_t i = 0; i < sections; i++) {
        const uint64_t share = spmv__binary_checksum_share(
            src->data + table[i].offset, (int64_t)table[i].size, comm->rank, comm->size);
        if (spmv__comm_sum_words(comm, share) != table[i].checksum) st = not_so();
    }
    return st;
}

/* Copy the rows of this rank, and check them. */
static spmv_status copy_rows(spmv_part *part, const spmv_csr *A, int rank)
{
    spmv_csr *own = &part->own;
    const size_t value = spmv_type_size(A->type), n = (size_t)own->nnz;
    const int64_t first = part->first_entry;
    memcpy(own->row_ptr, A->row_ptr + part->row_begin[rank],
           (size_t)(own->rows + 1) * sizeof *own->row_ptr);
    memcpy(own->col_idx, A->col_idx + first, n * sizeof *own->col_idx);
    if (value > 0) memcpy(own->val, (const char *)A->val + (size_t)first * value, n * value);
    for (int64_t r = 0; r <= own->rows; r++)
        if (own->row_ptr[r] < first) return not_so();
    spmv__part_rebase(part);
    const spmv_matrix rows = spmv__wrap_csr(own);
    return spmv_check(&rows, NULL);
}

spmv_status spmv__binary_read_part(spmv_part *out, spmv_comm *comm, const spmv__source *src,
                                   spmv_partition by)
{
    spmv__binary_header first;
    spmv__part_head head;
    spmv_matrix A = {0};
    spmv_part part = {0};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, map_rows(&A, src), NULL));
    SPMV__TRY(spmv_comm_agree(comm, compare_headers(&first, comm, src), NULL));
    st = verify_checksums(comm, src, first.section_count);
    SPMV__TRY(spmv_comm_agree(comm, st, NULL));
    head = (spmv__part_head){A.head.rows, A.head.cols, A.head.nnz, A.head.type};
    SPMV__TRY(spmv__part_lay_out(&part, comm, &head, A.csr.row_ptr, by, NULL));
    SPMV__TRY(spmv_comm_agree(comm, copy_rows(&part, &A.csr, comm->rank), NULL));
    *out = part;
    part = (spmv_part){0};
done:
    spmv_part_destroy(&part);
    return st;
}
