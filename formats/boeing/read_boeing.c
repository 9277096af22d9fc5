/* read_boeing.c -- a Rutherford-Boeing file becomes COO.
 *
 * The file has compressed columns, whose rows may come in any order.  What the header declares is
 * believed only as far as the bytes that follow can bear it out. */
#include "core/matrix/value.h"
#include "formats/boeing/boeing.h"
#include "formats/common/file_format.h"

#include <stdlib.h>

typedef struct boeing {
    spmv__text text;
    spmv__boeing_header header;
    int64_t *col_ptr;          /* [cols + 1], from 1 */
    const unsigned char *rows; /* where the row indices begin */
} boeing;

static spmv__fortran_numbers numbers_of(boeing *g, spmv__boeing_part part, int64_t count)
{
    static const char *const names[] = {"pointers", "row indices", "values"};
    return (spmv__fortran_numbers){
        .text = &g->text, .format = &g->header.formats[part], .what = names[part], .count = count};
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- The columns ---------------------------------------------------------------------------- */

static bool read_pointers(boeing *g)
{
    const spmv__boeing_header *header = &g->header;
    const unsigned char *place = g->text.p;
    spmv__fortran_numbers numbers = numbers_of(g, SPMV__BOEING_POINTERS, header->cols + 1);
    for (int64_t c = 0; c <= header->cols; c++) {
        const int64_t low = c == 0 ? 1 : g->col_ptr[c - 1], high = c == 0 ? 1 : header->nnz + 1;
        int64_t pointer;
        if (!spmv__fortran_read_integer(&numbers, &pointer, &place)) return false;
        if (pointer < low || pointer > high)
            return spmv__text_fault(
                &g->text, place, "the pointer to column %lld is %lld, outside %lld..%lld",
                (long long)c + 1, (long long)pointer, (long long)low, (long long)high);
        g->col_ptr[c] = pointer;
    }
    if (g->col_ptr[header->cols] == header->nnz + 1) return spmv__fortran_finish(&numbers);
    return spmv__text_fault(
        &g->text, place, "the last pointer is %lld; with %lld entries it is %lld",
        (long long)g->col_ptr[header->cols], (long long)header->nnz, (long long)header->nnz + 1);
}

static spmv_status load_pointers(boeing *g, const spmv__source *src, spmv_error *err)
{
    const int64_t most =
        spmv__fortran_room(&g->header.formats[SPMV__BOEING_POINTERS], g->text.end - g->text.p);
    spmv_status st = spmv__alloc(&g->col_ptr, smaller(g->header.cols + 1, most), sizeof *g->col_ptr,
                                 "pointers to columns", err);
    if (st != SPMV_SUCCESS || read_pointers(g)) return st;
    return spmv__text_report_fault(src, &g->text, err);
}

/* ---- The entries ---------------------------------------------------------------------------- */

/* The next row index, of an entry of column c, from 0. */
static bool read_row(boeing *g, spmv__fortran_numbers *numbers, int64_t c, int64_t *out,
                     const unsigned char **place)
{
    const spmv__boeing_header *header = &g->header;
    if (!spmv__fortran_read_integer(numbers, out, place)) return false;
    if (*out < 1 || *out > header->rows)
        return spmv__text_fault(&g->text, *place, "row %lld of column %lld is outside 1..%lld",
                                (long long)*out, (long long)c + 1, (long long)header->rows);
    if (header->symmetry != SPMV_GENERAL && *out <= c)
        return spmv__text_fault(&g->text, *place,
                                "row %lld of column %lld is above the diagonal; of a matrix with a "
                                "symmetry the lower triangle is stored",
                                (long long)*out, (long long)c + 1);
    --*out;
    return true;
}

static bool read_rows(boeing *g, spmv_coo *A)
{
    const unsigned char *place;
    spmv__fortran_numbers numbers = numbers_of(g, SPMV__BOEING_ROWS, g->header.nnz);
    g->rows = g->text.p;
    for (int64_t c = 0; c < g->header.cols; c++)
        for (int64_t p = g->col_ptr[c] - 1; p < g->col_ptr[c + 1] - 1; p++) {
            if (!read_row(g, &numbers, c, &A->row_idx[p], &place)) return false;
            A->col_idx[p] = c;
        }
    return spmv__fortran_finish(&numbers);
}

static const unsigned char *find_entry(const void *file, int64_t row, int64_t col, int nth)
{
    boeing again = *(const boeing *)file;
    const unsigned char *place = again.rows;
    spmv__fortran_numbers numbers = numbers_of(&again, SPMV__BOEING_ROWS, again.header.nnz);
    again.text.p = again.rows;
    int64_t r;
    while (numbers.taken < again.col_ptr[col + 1] - 1) {
        if (!spmv__fortran_read_integer(&numbers, &r, &place)) break;
        if (numbers.taken >= again.col_ptr[col] && r - 1 == row && --nth == 0) break;
    }
    return place;
}

static bool read_value(spmv__fortran_numbers *numbers, spmv_type type, spmv_scalar *out,
                       const unsigned char **place)
{
    *out = (spmv_scalar){0};
    return spmv__fortran_read_real(numbers, &out->re, place) &&
           (!spmv_type_is_complex(type) || spmv__fortran_read_real(numbers, &out->im, NULL));
}

/* Values go with the rows that were read; those on a diagonal that the matrix does not have are
 * dropped. */
static bool read_values(boeing *g, spmv_coo *A)
{
    const int parts = spmv__parts(A->type);
    const unsigned char *place;
    spmv__fortran_numbers numbers = numbers_of(g, SPMV__BOEING_VALUES, parts * g->header.nnz);
    int64_t q = 0;
    for (int64_t p = 0; p < g->header.nnz; p++) {
        const int64_t r = A->row_idx[p], c = A->col_idx[p];
        spmv_scalar value;
        bool keep = true;
        if (!read_value(&numbers, A->type, &value, &place)) return false;
        if (r == c &&
            !spmv__text_check_diagonal(&g->text, g->header.symmetry, place, &value, &keep))
            return false;
        if (!keep) continue;
        A->row_idx[q] = r;
        A->col_idx[q] = c;
        spmv__set_scalar(A->type, A->val, q++, value);
    }
    A->nnz = q;
    return spmv__fortran_finish(&numbers);
}

/* A matrix is all that a file holds, unless its header says that vectors follow. */
static bool check_end(boeing *g)
{
    char quote[SPMV__TEXT_QUOTE];
    if (g->header.vectors || !spmv__text_next_content(&g->text, false)) return true;
    return spmv__text_fault(&g->text, g->text.p, "'%s' after the last of %lld entries",
                            spmv__text_quote_word(quote, &g->text), (long long)g->header.nnz);
}

static spmv_type type_of(const spmv__boeing_header *header)
{
    if (header->field == 'p') return SPMV_PATTERN;
    return header->field == 'c' ? SPMV_C128 : SPMV_F64;
}

static spmv_status load_entries(boeing *g, const spmv__source *src, spmv_coo *A, spmv_error *err)
{
    const spmv__boeing_header *header = &g->header;
    const spmv_type type = type_of(header);
    const int64_t most =
        spmv__fortran_room(&header->formats[SPMV__BOEING_ROWS], g->text.end - g->text.p);
    spmv_status st =
        spmv_coo_create(A, type, header->rows, header->cols, smaller(header->nnz, most), err);
    if (st != SPMV_SUCCESS) return st;
    const bool read =
        read_rows(g, A) && (type == SPMV_PATTERN || read_values(g, A)) && check_end(g);
    return read ? SPMV_SUCCESS : spmv__text_report_fault(src, &g->text, err);
}

/* ---- The file ------------------------------------------------------------------------------- */

static void describe(const spmv__boeing_header *header, spmv_file_info *info)
{
    info->entries = header->nnz;
    info->symmetry = header->symmetry;
    info->has_values = header->field != 'p';
    info->field = header->field == 'r'   ? "real"
                  : header->field == 'c' ? "complex"
                  : header->field == 'i' ? "integer"
                                         : "pattern";
}

static spmv_status read_matrix(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    spmv_status st;
    boeing g = {.text = {.p = src->data, .end = src->data + src->size, .comments = ""}};
    spmv_matrix A = {.format = SPMV_COO};
    const spmv__origin origin = {
        .src = src, .options = options, .text = &g.text, .base = 1, .find = find_entry, .file = &g};

    if (!spmv__boeing_read_header(&g.text, &g.header))
        return spmv__text_report_fault(src, &g.text, err);
    describe(&g.header, info);
    SPMV__TRY(load_pointers(&g, src, err));
    SPMV__TRY(load_entries(&g, src, &A.coo, err));
    SPMV__TRY(spmv__text_sort(&A.coo, &origin, &info->duplicates, err));
    SPMV__TRY(spmv__text_report_oddities(src, &g.text, options, err));
    A.head.symmetry = g.header.symmetry;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){.format = SPMV_COO};
done:
    spmv_destroy(&A);
    free(g.col_ptr);
    return st;
}

const spmv__file_format spmv__boeing_file = {
    .info = {.name = "rb",
             .suffixes = ".rb .hb .rua .rsa .rra .rza .iua .isa .pua .psa .pra .cua .csa .cha",
             .summary = "Rutherford-Boeing and Harwell-Boeing: columns as text",
             .reads = true,
             .writes = true,
             .text = true},
    .recognise = spmv__boeing_recognise,
    .read = read_matrix,
    .write = spmv__boeing_write,
};
