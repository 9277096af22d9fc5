/* write_entries.c -- the entries of a matrix as lines of text: row, column, value; and the values
 * of vectors, one a line.
 *
 * Entries come by row, then column, whatever the format in memory: the same matrix gives the same
 * bytes. */
#include "formats/text/number.h"
#include "formats/common/file_format.h"

#include <stdlib.h>

enum { BESIDE_LABELS = 3 + SPMV__VALUE_SIZE }; /* separators, a value, line end */

/* Pieces that may become more bytes of text do so only when they are written, some at a time. */
enum { PREPARED = 1 << 23 };

/* Threads that make the text of a part together, at most. */
enum { TEAM = 64 };

/* Coordinates, and what their rows and columns are called. */
typedef struct coordinate_lines {
    const spmv_coo *A;
    const spmv_labels *labels;
    char separator;
} coordinate_lines;

/* Rows of C, which may be all, and what rows and columns are called. */
typedef struct row_lines {
    const spmv_csr *C; /* without its entries */
    const spmv_row_piece *piece;
    const spmv_labels *labels;
    char separator;
    int64_t before; /* rows of the file that come before C */
} row_lines;

int spmv__entry_line_size(const spmv_labels *labels)
{
    return 2 * spmv__label_size(labels) + BESIDE_LABELS;
}

static char *put_entry(char *p, const spmv_labels *labels, int64_t row, int64_t col, char separator)
{
    p = spmv__put_label(p, labels, row, separator);
    *p++ = separator;
    return spmv__put_label(p, labels, col, separator);
}

static char *end_entry(char *p, spmv_type type, const void *val, int64_t position, char separator)
{
    if (type != SPMV_PATTERN) {
        *p++ = separator;
        p += spmv__format_value(p, type, val, position);
    }
    *p++ = '\n';
    return p;
}

static char *put_coo(const void *user, int64_t begin, int64_t end, char *out)
{
    const coordinate_lines *list = user;
    const spmv_coo *A = list->A;
    for (int64_t p = begin; p < end; p++) {
        out = put_entry(out, list->labels, A->row_idx[p], A->col_idx[p], list->separator);
        out = end_entry(out, A->type, A->val, p, list->separator);
    }
    return out;
}

/* The row of the piece that holds position p of C: the last that begins there or before. */
static int64_t row_of(const row_lines *list, int64_t p)
{
    int64_t low = list->piece->begin, high = list->piece->end;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (list->C->row_ptr[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Lines of entries begin .. end - 1 of the piece. */
static char *put_rows(const void *user, int64_t begin, int64_t end, char *out)
{
    const row_lines *list = user;
    const spmv_row_piece *piece = list->piece;
    const int64_t *row_ptr = list->C->row_ptr, first = row_ptr[piece->begin];
    int64_t r = row_of(list, first + begin);
    for (int64_t k = begin; k < end; k++) {
        while (row_ptr[r + 1] <= first + k) r++;
        out = put_entry(out, list->labels, list->before + r, piece->col_idx[k], list->separator);
        out = end_entry(out, list->C->type, piece->val, k, list->separator);
    }
    return out;
}

spmv_status spmv__write_entries(spmv__sink *sink, const spmv_matrix *A, const spmv_labels *labels,
                                char separator, spmv_error *err)
{
    const coordinate_lines coordinates = {&A->coo, labels, separator};
    const int size = spmv__entry_line_size(labels);
    if (A->format == SPMV_COO)
        return spmv__write_lines(sink, A->head.nnz, size, put_coo, &coordinates, err);
    const spmv_csr *C = &A->csr;
    const spmv_row_piece all = {0, C->rows, C->nnz, C->col_idx, C->val};
    const row_lines rows = {C, &all, labels, separator, 0};
    return spmv__write_lines(sink, C->nnz, size, put_rows, &rows, err);
}

spmv_status spmv__prepare_entries(const spmv_csr *C, const spmv_row_piece *piece,
                                  const spmv_labels *labels, spmv_piece_memory *memory,
                                  spmv_error *err)
{
    const row_lines rows = {C, piece, labels, ' ', 0};
    const int64_t room = piece->n * spmv__entry_line_size(labels);
    memory->size = 0;
    if (piece->n == 0 || room > PREPARED) return SPMV_SUCCESS;
    if (room > memory->room) {
        free(memory->data);
        memory->room = 0;
        const spmv_status st = spmv__alloc(&memory->data, room, 1, "text to write", err);
        if (st != SPMV_SUCCESS) return st;
        memory->room = room;
    }
    memory->size = put_rows(&rows, 0, piece->n, memory->data) - (char *)memory->data;
    return SPMV_SUCCESS;
}

spmv_status spmv__write_piece(spmv__sink *sink, const spmv_csr *C, const spmv_row_piece *piece,
                              const spmv_labels *labels, const spmv_piece_memory *memory,
                              spmv_error *err)
{
    const row_lines rows = {C, piece, labels, ' ', 0};
    const int size = spmv__entry_line_size(labels);
    if (piece->n * size > PREPARED)
        return spmv__write_lines(sink, piece->n, size, put_rows, &rows, err);
    spmv__sink_write(sink, memory->data, (size_t)memory->size);
    return SPMV_SUCCESS;
}

int64_t spmv__put_entries(char *out, const spmv_csr *C, int64_t begin, int64_t end, int64_t before,
                          const spmv_labels *labels)
{
    const spmv_row_piece all = {0, C->rows, C->nnz, C->col_idx, C->val};
    const row_lines rows = {C, &all, labels, ' ', before};
    const int available = spmv__threads(0), threads = available < TEAM ? available : TEAM;
    const int64_t each = (end - begin + threads - 1) / threads,
                  room = each * spmv__entry_line_size(labels);
    char *stop[TEAM];
    int64_t size = 0;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const int64_t from = end - begin > t * each ? begin + t * each : end;
        const int64_t to = end - from > each ? from + each : end;
        stop[t] = put_rows(&rows, from, to, out + t * room);
    }
    for (int t = 0; t < threads; t++) {
        const int64_t n = stop[t] - (out + t * room);
        memmove(out + size, out + t * room, (size_t)n);
        size += n;
    }
    return size;
}

static char *put_numbers(const void *user, int64_t begin, int64_t end, char *out)
{
    const spmv_dense *x = user;
    for (int64_t i = begin; i < end; i++) {
        out += spmv__format_value(out, x->type, x->data, i);
        *out++ = '\n';
    }
    return out;
}

spmv_status spmv__write_numbers(const spmv_dense *x, spmv__sink *sink, spmv_error *err)
{
    return spmv__write_lines(sink, x->rows * x->cols, SPMV__VALUE_SIZE + 1, put_numbers, x, err);
}
