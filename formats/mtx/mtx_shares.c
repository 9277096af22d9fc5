/* mtx_shares.c -- a Matrix Market file of which each rank reads some lines.
 *
 * All ranks map the file and read its header; each takes a share of the body, in whole lines, on
 * the quick way (quick.h).  What that cannot read, or what has to be told, is left to one process,
 * which knows the words for it: also an entry that is given twice. */
#include "core/parts/merge_shares.h"
#include "formats/mtx/quick.h"

static spmv_status not_so(void)
{
    return SPMV_ERROR_UNSUPPORTED;
}

/* Read the header, where it is one of a file whose lines can be shared out. */
static spmv_status open_body(spmv__mtx_reader *reader, const spmv__source *src,
                             const spmv_read_options *options)
{
    const spmv__mtx_header *header = &reader->header;
    const spmv_status st = spmv__mtx_open(reader, src, options, NULL);
    if (st != SPMV_SUCCESS) return st;
    for (int i = 0; i < SPMV__ODDITIES; i++)
        if (reader->text.count[i] > 0) return not_so();
    const bool quick = !header->array && !header->vector && header->field != SPMV__MTX_COMPLEX;
    return quick && spmv__mtx_fits_csr(reader) ? SPMV_SUCCESS : not_so();
}

/* Every rank has the header that rank 0 has. */
static spmv_status compare_headers(spmv_comm *comm, const spmv__mtx_reader *reader)
{
    const spmv__mtx_header *h = &reader->header;
    const int64_t mine[] = {h->field, h->symmetry, h->rows,
                            h->cols,  h->entries,  reader->text.end - reader->text.p};
    int64_t first[sizeof mine / sizeof *mine];
    memcpy(first, mine, sizeof mine);
    spmv__comm_broadcast(comm, first, sizeof first, 0);
    return memcmp(first, mine, sizeof mine) == 0 ? SPMV_SUCCESS : not_so();
}

/* Where the lines of a share begin. */
static const unsigned char *share_begin(const spmv__text *body, int share, int shares)
{
    const int64_t bytes = body->end - body->p;
    if (share == 0) return body->p;
    return share == shares ? body->end
                           : spmv__text_block_end(body->p, body->end, bytes / shares * share);
}

spmv_status spmv__mtx_read_part(spmv_part *out, spmv_comm *comm, const spmv__source *src,
                                spmv_partition by, const spmv_read_options *options)
{
    const spmv_read_options quiet = {.duplicates = options->duplicates,
                                     .drop_zeros = options->drop_zeros,
                                     .skip_invalid = options->skip_invalid,
                                     .index_base = options->index_base,
                                     .threads = options->threads};
    spmv__mtx_reader reader;
    spmv_csr share = {0};
    int64_t given = 0;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, open_body(&reader, src, &quiet), NULL));
    SPMV__TRY(spmv_comm_agree(comm, compare_headers(comm, &reader), NULL));
    st = spmv__mtx_read_share(&share, &reader, share_begin(&reader.text, comm->rank, comm->size),
                              share_begin(&reader.text, comm->rank + 1, comm->size), &given);
    SPMV__TRY(spmv_comm_agree(comm, st, NULL));
    if (spmv__comm_sum_words(comm, (uint64_t)given) != (uint64_t)reader.header.entries)
        st = not_so();
    else
        st = spmv__part_merge(out, comm, &share, by, NULL);
done:
    spmv_csr_destroy(&share);
    return st;
}
