/* binary_rows.c -- CSR to a binary file, whose rows come in pieces.
 *
 * The lengths of the rows tell where each array lies, so columns and values go to their places as
 * they come, a block of their checksums at a time.  Only the table, which holds these, waits for
 * the last piece; so the output must be a file of its own, and not a pipe. */
#include "formats/common/file_format.h"
#include "formats/binary/binary_front.h"

#include <stdlib.h>

/* A section that is written from its beginning to its end. */
typedef struct growing_section {
    spmv__binary_section *section;
    int64_t block;        /* the one that is filled */
    size_t used;          /* bytes in it */
    unsigned char *bytes; /* [SPMV__BINARY_BLOCK] owned */
} growing_section;

typedef struct binary_rows {
    spmv__binary_front front;
    growing_section col, val; /* those of a pattern have no section of values */
} binary_rows;

static void flush_block(growing_section *g, spmv__sink *sink)
{
    if (g->used == 0) return;
    const int64_t at = (int64_t)g->section->offset + g->block * SPMV__BINARY_BLOCK;
    g->section->checksum += spmv__binary_block_checksum(g->bytes, (int64_t)g->used, g->block);
    spmv__sink_write_at(sink, g->bytes, g->used, at);
    g->block++;
    g->used = 0;
}

static void append(growing_section *g, const void *data, size_t size, spmv__sink *sink)
{
    const unsigned char *from = data;
    while (size > 0) {
        const size_t room = SPMV__BINARY_BLOCK - g->used, n = size < room ? size : room;
        memcpy(g->bytes + g->used, from, n);
        g->used += n;
        from += n;
        size -= n;
        if (g->used == SPMV__BINARY_BLOCK) flush_block(g, sink);
    }
}

static spmv_status open_section(growing_section *g, spmv__binary_front *front, const char *name,
                                spmv_error *err)
{
    for (uint32_t i = 0; i < front->header.section_count; i++)
        if (spmv__binary_name_is(&front->table[i].name, name)) g->section = &front->table[i];
    if (g->section == NULL) return SPMV_SUCCESS;
    return spmv__alloc(&g->bytes, SPMV__BINARY_BLOCK, 1, "an output buffer", err);
}

/* What is known from the beginning: row pointers, labels, and where the file ends. */
static void write_known(binary_rows *b, spmv__sink *sink)
{
    const int64_t end = (int64_t)b->front.header.file_size;
    spmv__sink_write_at(sink, "", 1, end - 1);
    for (uint32_t i = 0; i < b->front.header.section_count; i++) {
        spmv__binary_section *s = &b->front.table[i];
        if (b->front.data[i] == NULL) continue;
        s->checksum = spmv__binary_checksum(b->front.data[i], (int64_t)s->size);
        spmv__sink_write_at(sink, b->front.data[i], s->size, (int64_t)s->offset);
    }
}

static spmv_status begin_rows(spmv__row_file *file, spmv_error *err)
{
    spmv_matrix C = spmv__wrap_csr(file->C);
    binary_rows *b;
    spmv_status st;
    C.csr.col_idx = NULL; /* they come with the pieces, also where a caller has them already */
    C.csr.val = NULL;
    SPMV__TRY(spmv__alloc(&b, 1, sizeof *b, "an output", err));
    file->own = b;
    SPMV__TRY(spmv__binary_front_make(&b->front, &C, &file->labels, err));
    SPMV__TRY(open_section(&b->col, &b->front, "col_idx", err));
    SPMV__TRY(open_section(&b->val, &b->front, "val", err));
    spmv__sink_expect(file->sink, (int64_t)b->front.header.file_size);
    write_known(b, file->sink);
done:
    return st;
}

static spmv_status take_rows(spmv__row_file *file, const spmv_row_piece *piece,
                             const spmv_piece_memory *memory, spmv_error *err)
{
    binary_rows *b = file->own;
    const size_t n = (size_t)piece->n;
    (void)memory, (void)err;
    append(&b->col, piece->col_idx, n * sizeof *piece->col_idx, file->sink);
    if (b->val.section != NULL)
        append(&b->val, piece->val, n * spmv_type_size(file->C->type), file->sink);
    return SPMV_SUCCESS;
}

static void finish_rows(spmv__row_file *file)
{
    binary_rows *b = file->own;
    const int64_t size = spmv__binary_front_size(&b->front.header);
    flush_block(&b->col, file->sink);
    flush_block(&b->val, file->sink);
    const spmv__binary_seal seal = spmv__binary_seal_of(&b->front);
    spmv__sink_write_at(file->sink, &b->front, (size_t)size, 0);
    spmv__sink_write_at(file->sink, &seal, sizeof seal, size);
}

static void release_rows(spmv__row_file *file)
{
    binary_rows *b = file->own;
    if (b == NULL) return;
    free(b->col.bytes);
    free(b->val.bytes);
    free(b);
}

const spmv__row_format spmv__binary_rows = {
    .needs_places = true,
    .begin = begin_rows,
    .take = take_rows,
    .finish = finish_rows,
    .release = release_rows,
};
