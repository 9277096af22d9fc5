/* npy.c -- NumPy's .npy files: dense matrices and vectors.
 *
 * A matrix is read as the entries that are not 0, and one that is written gets its zeros back.  An
 * array with one dimension is a column. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/numpy/npy.h"

#include <stdlib.h>

enum { MANY_ROWS = 1 << 20 }; /* whose offsets are only asked for when the file holds elements */

/* ---- Reading -------------------------------------------------------------------------------- */

static bool recognise(const unsigned char *data, int64_t size)
{
    const int64_t length = sizeof SPMV__NPY_MAGIC - 1;
    return size >= length && memcmp(data, SPMV__NPY_MAGIC, (size_t)length) == 0;
}

static spmv_status take_memory(spmv__npy_reader *reader, void *out, int64_t size, spmv_error *err)
{
    const unsigned char *p = reader->from;
    (void)err;
    if (size > 0) memcpy(out, p, (size_t)size);
    reader->from = (void *)(uintptr_t)(p + size);
    return SPMV_SUCCESS;
}

static spmv_status open_array(spmv__npy_reader *reader, const spmv__source *src, spmv_error *err)
{
    *reader = (spmv__npy_reader){.src = src,
                                 .name = "the array",
                                 .left = src->size,
                                 .take = take_memory,
                                 .from = (void *)(uintptr_t)src->data};
    return spmv__npy_begin(reader, err);
}

/* All elements, in the order of the file; *val is the caller's to free. */
static spmv_status take_values(spmv__npy_reader *reader, spmv_type type, void **val,
                               spmv_error *err)
{
    const spmv_status st =
        spmv__alloc(val, reader->head.count, spmv_type_size(type), "a dense array", err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__npy_take_values(reader, type, *val, err);
}

/* What matters of a dense array: element k of n = outer * inner, of the file's order. */
typedef struct dense {
    int64_t rows, cols;
    bool by_columns;
    spmv_type type;
    const void *val;
} dense;

/* Call `visit` for each element that is not 0; the columns of each row ascend. */
static void each_nonzero(const dense *D, void (*visit)(void *user, int64_t r, int64_t c, int64_t k),
                         void *user)
{
    const int64_t outer = D->by_columns ? D->cols : D->rows;
    const int64_t inner = D->by_columns ? D->rows : D->cols;
    for (int64_t o = 0, k = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++, k++)
            if (!spmv__is_zero(spmv__scalar(D->type, D->val, k)))
                visit(user, D->by_columns ? i : o, D->by_columns ? o : i, k);
}

static void count_one(void *user, int64_t r, int64_t c, int64_t k)
{
    int64_t *row_ptr = user;
    (void)c, (void)k;
    row_ptr[r + 1]++;
}

typedef struct array_filling {
    spmv_csr *A;
    const void *val;
    int64_t *next; /* [rows], the place of the next entry of each row */
} array_filling;

static void fill_one(void *user, int64_t r, int64_t c, int64_t k)
{
    array_filling *f = user;
    const int64_t p = f->next[r]++;
    f->A->col_idx[p] = (int32_t)c;
    spmv__copy_value(f->A->type, f->A->val, p, f->val, k);
}

/* The nonzeros of D as CSR; `type` is D's, or pattern. */
static spmv_status gather(spmv_csr *out, const dense *D, spmv_type type, spmv_error *err)
{
    spmv_csr A = {0};
    int64_t *row_ptr = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&row_ptr, D->rows + 1, sizeof *row_ptr, "row offsets", err));
    each_nonzero(D, count_one, row_ptr);
    spmv__counts_to_offsets(row_ptr, D->rows);
    SPMV__TRY(spmv_csr_create(&A, type, D->rows, D->cols, row_ptr[D->rows], err));
    memcpy(A.row_ptr, row_ptr, (size_t)(D->rows + 1) * sizeof *row_ptr);
    each_nonzero(D, fill_one, &(array_filling){&A, D->val, row_ptr});
    *out = A;
done:
    free(row_ptr);
    return st;
}

/* Rows and columns of the array. */
static spmv_status find_shape(const spmv__npy_reader *reader, dense *D, spmv_error *err)
{
    const spmv__npy *head = &reader->head;
    if (head->dims < 1 || head->dims > 2)
        return spmv__npy_fail(reader, err, SPMV_ERROR_INVALID_DIMENSION,
                              "has %d dimensions; a matrix has two, a vector one", head->dims);
    D->rows = head->shape[0];
    D->cols = head->dims == 2 ? head->shape[1] : 1;
    D->by_columns = head->fortran;
    return SPMV_SUCCESS;
}

static spmv_status read_matrix(spmv_matrix *out, spmv__source *src,
                               const spmv_read_options *options, spmv_file_info *info,
                               spmv_error *err)
{
    spmv__npy_reader reader;
    dense D = {0};
    void *val = NULL;
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_status st;

    SPMV__TRY(open_array(&reader, src, err));
    SPMV__TRY(find_shape(&reader, &D, err));
    A.head.rows = D.rows;
    A.head.cols = D.cols;
    /* Rows without elements take no room in the file: there may be any number of them. */
    if (D.cols == 0 && D.rows > MANY_ROWS) A.format = SPMV_COO;
    SPMV__TRY(spmv__check_head(&A, err));
    SPMV__TRY(spmv__npy_value_type(&reader, &D.type, err));
    SPMV__TRY(take_values(&reader, D.type, &val, err));
    D.val = val;
    const spmv_type type = reader.head.kind == 'b' ? SPMV_PATTERN : D.type;
    if (A.format == SPMV_COO)
        SPMV__TRY(spmv_coo_create(&A.coo, type, D.rows, D.cols, 0, err));
    else
        SPMV__TRY(gather(&A.csr, &D, type, err));
    info->entries = A.head.nnz;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    free(val);
    spmv_destroy(&A);
    return st;
}

static spmv_status read_vector(spmv_dense *out, const spmv__source *src,
                               const spmv_read_options *options, spmv_error *err)
{
    spmv__npy_reader reader;
    spmv_dense x = {0};
    dense D = {0};
    spmv_type type;
    spmv_status st;

    (void)options;
    SPMV__TRY(open_array(&reader, src, err));
    SPMV__TRY(find_shape(&reader, &D, err));
    SPMV__TRY(spmv__npy_value_type(&reader, &type, err));
    SPMV__TRY(spmv_dense_create(&x, spmv__double_type(type), D.rows, D.cols, err));
    x.by_rows = !D.by_columns && D.cols != 1;
    SPMV__TRY(spmv__npy_take_values(&reader, x.type, x.data, err));
    if (x.by_rows) {
        SPMV__TRY(spmv_dense_reorder(out, &x, false, err));
    } else {
        *out = x;
        x = (spmv_dense){0};
    }
done:
    spmv_dense_destroy(&x);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void write_header(spmv__sink *sink, const spmv__npy *head)
{
    char text[SPMV__NPY_FORMATTED];
    spmv__sink_write(sink, text, (size_t)spmv__npy_format(text, head));
}

/* Several columns stay in the order of spmv_dense, which NumPy calls Fortran's. */
static spmv_status write_vector(const spmv_dense *x, spmv__sink *sink, spmv_error *err)
{
    spmv__npy head = spmv__npy_of_type(x->type);
    (void)err;
    head.dims = x->cols == 1 ? 1 : 2;
    head.fortran = head.dims == 2;
    head.shape[0] = x->rows;
    head.shape[1] = x->cols;
    write_header(sink, &head);
    spmv__sink_write(sink, x->data, (size_t)(x->rows * x->cols) * spmv_type_size(x->type));
    return SPMV_SUCCESS;
}

/* One row after the other; the ones of a pattern are True. */
static void write_rows(spmv__sink *sink, const spmv_csr *A, unsigned char *row, int size)
{
    const size_t bytes = (size_t)A->cols * (size_t)size;
    for (int64_t r = 0; r < A->rows; r++) {
        if (bytes > 0) memset(row, 0, bytes);
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            if (A->type == SPMV_PATTERN)
                row[A->col_idx[p]] = 1;
            else
                spmv__copy_value(A->type, row, A->col_idx[p], A->val, p);
        }
        spmv__sink_write(sink, row, bytes);
    }
}

static spmv_status write_matrix(const spmv_matrix *A, const char *path,
                                const spmv_write_options *options, spmv_error *err)
{
    spmv__npy head = spmv__npy_of_type(A->head.type);
    const spmv_matrix *whole;
    spmv_matrix made = {0};
    unsigned char *row = NULL;
    spmv__sink *sink = NULL;
    spmv_status st;

    head.dims = 2;
    head.shape[0] = A->head.rows;
    head.shape[1] = A->head.cols;
    const double bytes = (double)A->head.rows * (double)A->head.cols * (double)head.size;
    SPMV__TRY(spmv_check_memory(bytes, "a dense array", err));
    SPMV__TRY(spmv__prepare_write(&whole, &made, A, false, 1 << SPMV_CSR, options, err));
    SPMV__TRY(spmv__alloc(&row, A->head.cols, (size_t)head.size, "a dense row", err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    write_header(sink, &head);
    write_rows(sink, &whole->csr, row, head.size);
    st = spmv__sink_commit(&sink, err);
done:
    free(row);
    spmv_destroy(&made);
    return st;
}

const spmv__file_format spmv__npy_file = {
    .info = {.name = "npy",
             .suffixes = ".npy",
             .summary = "NumPy array: a dense matrix without its zeros, or a vector",
             .reads = true,
             .writes = true},
    .recognise = recognise,
    .read = read_matrix,
    .write = write_matrix,
    .read_vector = read_vector,
    .write_vector = write_vector,
};
