/* write_npz.c -- a sparse matrix for SciPy to load.
 *
 * The members come in SciPy's order and are stored without compression, as numpy.savez does it:
 * the bytes then depend on no version of a compressor.  A pattern gets True for values, which is
 * read back as a pattern.  Like SciPy, indices have 32 bits where all of them fit. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/numpy/npz.h"
#include "formats/codecs/zip.h"

enum { CHUNK = 8192 }; /* indices that are converted at a time */

/* An array of the matrix, or the shape. */
typedef struct array {
    spmv__npy head; /* as it is to be in the file */
    const void *data;
    spmv__element element; /* of data */
} array;

/* Indices [first, first + n) in the width of the file. */
static void convert_indices(const array *a, int64_t first, int64_t n, void *out)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t value = a->element == SPMV__I64 ? ((const int64_t *)a->data)[first + k]
                                                      : ((const int32_t *)a->data)[first + k];
        if (a->head.size == sizeof(int64_t))
            ((int64_t *)out)[k] = value;
        else
            ((int32_t *)out)[k] = (int32_t)value;
    }
}

static spmv_status write_indices(spmv__zip *zip, const array *a, spmv_error *err)
{
    int64_t buffer[CHUNK];
    spmv_status st = SPMV_SUCCESS;
    for (int64_t first = 0, n; first < a->head.count && st == SPMV_SUCCESS; first += n) {
        const int64_t left = a->head.count - first;
        n = left < CHUNK ? left : CHUNK;
        convert_indices(a, first, n, buffer);
        st = spmv__zip_write(zip, buffer, n * a->head.size, err);
    }
    return st;
}

static spmv_status write_ones(spmv__zip *zip, int64_t count, spmv_error *err)
{
    unsigned char ones[CHUNK];
    spmv_status st = SPMV_SUCCESS;
    memset(ones, 1, sizeof ones);
    for (int64_t n; count > 0 && st == SPMV_SUCCESS; count -= n) {
        n = count < CHUNK ? count : CHUNK;
        st = spmv__zip_write(zip, ones, n, err);
    }
    return st;
}

static spmv_status write_array(spmv__zip *zip, spmv__npz_member which, array a, spmv_error *err)
{
    char header[SPMV__NPY_FORMATTED];
    spmv_status st;

    if (a.head.dims == 1) a.head.shape[0] = a.head.count;
    const int64_t length = spmv__npy_format(header, &a.head);
    SPMV__TRY(
        spmv__zip_begin(zip, spmv__npz_names[which], length + a.head.count * a.head.size, err));
    SPMV__TRY(spmv__zip_write(zip, header, length, err));
    if (a.head.kind == 'i')
        st = write_indices(zip, &a, err);
    else if (a.head.kind == 'b')
        st = write_ones(zip, a.head.count, err);
    else
        st = spmv__zip_write(zip, a.data, a.head.count * a.head.size, err);
done:
    return st;
}

/* The arrays of A in the order of its format, of which the first holds offsets or rows. */
static spmv_status write_arrays(spmv__zip *zip, const spmv_matrix *A,
                                const spmv__npz_layout *layout, spmv_error *err)
{
    const spmv__array *arrays = spmv__format_of(A->format)->arrays;
    const bool narrow =
        A->head.nnz <= INT32_MAX && A->head.rows <= INT32_MAX && A->head.cols <= INT32_MAX;
    const int order[] = {A->format == SPMV_COO ? 0 : 1, A->format == SPMV_COO ? 1 : 0};
    spmv_status st = SPMV_SUCCESS;

    for (int k = 0; k < 2; k++) {
        const spmv__array *array_ = &arrays[order[k]];
        const array a = {
            .head = {.kind = 'i', .size = narrow ? 4 : 8, .dims = 1, .count = array_->count(A)},
            .data = spmv__array_data(A, array_),
            .element = array_->element};
        SPMV__TRY(write_array(zip, order[k] == 0 ? layout->offsets : layout->indices, a, err));
    }
done:
    return st;
}

static spmv_status write_members(spmv__zip *zip, const spmv_matrix *A, spmv_error *err)
{
    const spmv__npz_layout *layout = NULL;
    const int64_t shape[2] = {A->head.rows, A->head.cols};
    array data = {.head = spmv__npy_of_type(A->head.type)};
    spmv_status st;

    for (int i = 0; i < SPMV__NPZ_LAYOUTS; i++)
        if (spmv__npz_layouts[i].format == A->format) layout = &spmv__npz_layouts[i];
    const array name = {.head = {.kind = 'S', .size = 3, .count = 1}, .data = layout->name};
    data.head.dims = 1;
    data.head.count = A->head.nnz;
    data.data = A->format == SPMV_COO ? A->coo.val : A->csr.val;
    SPMV__TRY(write_arrays(zip, A, layout, err));
    SPMV__TRY(write_array(zip, SPMV__NPZ_FORMAT, name, err));
    SPMV__TRY(write_array(
        zip, SPMV__NPZ_SHAPE,
        (array){{.kind = 'i', .size = 8, .dims = 1, .count = 2}, shape, SPMV__I64}, err));
    SPMV__TRY(write_array(zip, SPMV__NPZ_DATA, data, err));
done:
    return st;
}

spmv_status spmv__npz_write(const spmv_matrix *A, const char *path,
                            const spmv_write_options *options, spmv_error *err)
{
    const unsigned formats = 1 << SPMV_CSR | 1 << SPMV_CSC | 1 << SPMV_COO;
    const spmv_matrix *whole;
    spmv_matrix made = {0};
    spmv__sink *sink = NULL;
    spmv__zip *zip = NULL;
    spmv_status st;

    SPMV__TRY(spmv__prepare_write(&whole, &made, A, false, formats, options, err));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__zip_create(&zip, sink, err));
    SPMV__TRY(write_members(zip, whole, err));
    SPMV__TRY(spmv__zip_finish(zip, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__zip_close(zip);
    spmv__sink_discard(sink);
    spmv_destroy(&made);
    return st;
}
