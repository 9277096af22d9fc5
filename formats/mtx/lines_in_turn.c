/* lines_in_turn.c -- the entries of all ranks as lines of one text.
 *
 * Where the lines of a rank begin follows from the lengths of all before them, so that rank 0
 * writes them, one rank after the other.  Meanwhile the others make the first of theirs, as many as
 * fit into a buffer, and all goes side by side but for outputs of gigabytes. */
#include "core/comm/transport.h"
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/mtx/mtx.h"

#include <stdlib.h>

enum {
    AT_ONCE = 1 << 20, /* entries whose lines are made at a time: about 28 MB */
    SPARE_LINES = 64   /* for which spmv__put_entries asks */
};

typedef struct line_turns {
    spmv_comm *comm;
    const spmv_part *part;
    spmv__sink *sink; /* on rank 0 */
    int64_t at_once;
    char *text;   /* the lines that are sent next; on rank 0 those that came */
    int64_t size; /* of this text */
    int64_t next; /* entry whose line has not been made */
} line_turns;

/* The lines that come next of this rank. */
static void make_lines(line_turns *t)
{
    const spmv_csr *own = &t->part->own;
    const int64_t left = own->nnz - t->next;
    const int64_t end = t->next + (left < t->at_once ? left : t->at_once);
    t->size = spmv__put_entries(t->text, own, t->next, end, t->part->row_begin[t->comm->rank],
                                &spmv__mtx_numbers);
    t->next = end;
}

static spmv_status begin_text(line_turns *t, const char *path, const spmv_write_options *options,
                              spmv_error *err)
{
    const spmv_part *part = t->part;
    const int64_t most = t->comm->rank == 0 ? part->nnz : part->own.nnz;
    const int64_t lines = (most < t->at_once ? most : t->at_once) + SPARE_LINES;
    const spmv_matrix C =
        spmv__blank(SPMV_CSR, part->own.type, SPMV_GENERAL, part->rows, part->cols, part->nnz);
    spmv_status st;
    SPMV__TRY(spmv__alloc_unset(&t->text, lines, (size_t)spmv__entry_line_size(&spmv__mtx_numbers),
                                "text to write", err));
    if (t->comm->rank > 0) return st;
    SPMV__TRY(spmv__sink_open(&t->sink, path, options, err));
    SPMV__TRY(spmv__mtx_write_front(t->sink, &C.head, err));
done:
    return st;
}

/* Rank 0 writes its lines, and the others make their first ones. */
static spmv_status make_first_lines(line_turns *t, spmv_error *err)
{
    const spmv_matrix own = spmv__wrap_csr(&t->part->own);
    spmv_status st = SPMV_SUCCESS;
    if (t->comm->rank > 0)
        make_lines(t);
    else
        st = spmv__write_entries(t->sink, &own, &spmv__mtx_numbers, ' ', err);
    return spmv_comm_agree(t->comm, st, err);
}

/* Rank 0 writes the next lines of a rank, which makes others meanwhile.  *size = how many bytes. */
static spmv_status write_lines_of(line_turns *t, int rank, int64_t *size, spmv_error *err)
{
    const int self = t->comm->rank;
    *size = t->size;
    spmv__comm_broadcast(t->comm, size, sizeof *size, rank);
    if (*size == 0) return SPMV_SUCCESS;
    const spmv__message message = {self == 0 ? rank : 0, t->text, *size};
    spmv_status st = spmv__exchange_once(t->comm, &message, self == 0, &message, self == rank, err);
    if (st != SPMV_SUCCESS) return st;
    if (self == 0) spmv__sink_write(t->sink, t->text, (size_t)*size);
    if (self == rank) make_lines(t);
    st = self == 0 ? spmv__sink_status(t->sink, err) : SPMV_SUCCESS;
    return spmv_comm_agree(t->comm, st, err);
}

spmv_status spmv__mtx_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                                 const spmv_write_options *options, int64_t at_once,
                                 spmv_error *err)
{
    line_turns t = {.comm = comm, .part = part, .at_once = at_once > 0 ? at_once : AT_ONCE};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, begin_text(&t, path, options, err), err));
    SPMV__TRY(make_first_lines(&t, err));
    for (int k = 1; k < comm->size; k++)
        for (int64_t size = 1; size > 0;) SPMV__TRY(write_lines_of(&t, k, &size, err));
    if (comm->rank == 0) st = spmv__sink_commit(&t.sink, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
done:
    spmv__sink_discard(t.sink);
    free(t.text);
    return st;
}
