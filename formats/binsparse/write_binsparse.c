/* write_binsparse.c -- a matrix as a binsparse file.
 *
 * HDF5 changes a file in many places until it is complete: it is made in memory, and then written
 * as a whole. */
#include "core/matrix/format.h"
#include "formats/common/file_format.h"
#include "formats/binsparse/binsparse.h"

enum { VALUES = SPMV__BINSPARSE_ARRAYS - 1 };

static spmv__binsparse describe(const spmv_matrix *A)
{
    spmv__binsparse d = {.symmetry = A->head.symmetry,
                         .rows = A->head.rows,
                         .cols = A->head.cols,
                         .nnz = A->head.nnz};
    const spmv__array *arrays = spmv__format_of(A->format)->arrays;
    const spmv_type type = A->head.type;
    for (int i = SPMV__BINSPARSE_LAYOUTS - 1; i >= 0; i--)
        if (spmv__binsparse_layouts[i].format == A->format) d.layout = &spmv__binsparse_layouts[i];
    for (int i = 0; i < VALUES; i++)
        d.types[i] = (spmv__binsparse_type){
            .kind = 'i', .size = (int)spmv__element_size(arrays[i].element, type)};
    d.types[VALUES] =
        (spmv__binsparse_type){.kind = 'f', .size = 8, .complex = spmv_type_is_complex(type)};
    if (type == SPMV_F32 || type == SPMV_C64) d.types[VALUES].size = 4;
    if (type == SPMV_PATTERN) d.types[VALUES] = (spmv__binsparse_type){'i', 1, true, false};
    return d;
}

static spmv_status put_arrays(spmv__hdf5 *file, const spmv__binsparse *d, const spmv_matrix *A,
                              spmv_error *err)
{
    static const int8_t one = 1;
    const spmv__array *arrays = spmv__format_of(A->format)->arrays;
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < SPMV__BINSPARSE_ARRAYS; i++) {
        const spmv__binsparse_type type = d->types[i];
        const int64_t n = type.iso ? 1 : arrays[i].count(A);
        const void *data = type.iso ? &one : spmv__array_data(A, &arrays[i]);
        SPMV__TRY(
            spmv__hdf5_put(file, d->layout->arrays[i], type, type.complex ? 2 * n : n, data, err));
    }
done:
    return st;
}

spmv_status spmv__binsparse_write(const spmv_matrix *A, const char *path,
                                  const spmv_write_options *options, spmv_error *err)
{
    const unsigned formats = 1 << SPMV_CSR | 1 << SPMV_CSC | 1 << SPMV_COO;
    char text[SPMV__BINSPARSE_FORMATTED];
    const spmv_matrix *whole;
    spmv_matrix made = {0};
    spmv__hdf5 *file = NULL;
    spmv__sink *sink = NULL;
    spmv_status st;

    SPMV__TRY(spmv__prepare_write(&whole, &made, A, true, formats, options, err));
    const spmv__binsparse d = describe(whole);
    spmv__binsparse_format(text, &d);
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__hdf5_create(&file, err));
    SPMV__TRY(spmv__hdf5_put_text(file, "binsparse", text, err));
    SPMV__TRY(put_arrays(file, &d, whole, err));
    SPMV__TRY(spmv__hdf5_write(file, sink, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv__hdf5_close(file);
    spmv_destroy(&made);
    return st;
}
