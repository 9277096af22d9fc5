/* read_binsparse.c -- a binsparse file as a matrix in its own format.
 *
 * Every array is found, with its length and type, before there is memory for any.  HDF5 converts
 * indices to the width that ours have, and those beyond it to its end, which is outside every
 * matrix; so they are found with all others that are not in order. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "formats/text/number.h"
#include "formats/common/file_format.h"
#include "formats/binsparse/binsparse.h"

#include <stdlib.h>

enum { VALUES = SPMV__BINSPARSE_ARRAYS - 1 };

static bool is_integer(spmv__binsparse_type type)
{
    return type.kind != 'f';
}

/* The types in memory of numbers of the file: whole numbers are int64_t, reals stay as they are. */
static spmv__binsparse_type in_memory(spmv__binsparse_type type)
{
    if (!is_integer(type)) return type;
    return (spmv__binsparse_type){.kind = 'i', .size = 8};
}

static spmv_status check_exact(const spmv__source *src, int64_t p, int64_t value, spmv_error *err)
{
    if (spmv__is_exact(value < 0 ? -(uint64_t)value : (uint64_t)value)) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "value %lld is %lld, which double precision cannot hold",
                             (long long)p + 1, (long long)value);
}

/* Integers in the place of the doubles that they become. */
static spmv_status to_doubles(const spmv__source *src, void *values, int64_t n, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int64_t p = 0; p < n; p++) {
        int64_t integer;
        memcpy(&integer, (double *)values + p, sizeof integer);
        SPMV__TRY(check_exact(src, p, integer, err));
        ((double *)values)[p] = (double)integer;
    }
done:
    return st;
}

/* `n` values (one, where all are the same) of the type that the matrix has. */
static spmv_status get_values(spmv__hdf5 *file, const spmv__binsparse *d, int64_t n, void *out,
                              const spmv__source *src, spmv_error *err)
{
    const spmv__binsparse_type type = d->types[VALUES];
    const spmv_status st =
        spmv__hdf5_get(file, d->layout->arrays[VALUES], in_memory(type), out, err);
    return st == SPMV_SUCCESS && is_integer(type) ? to_doubles(src, out, n, err) : st;
}

static spmv_type value_type(spmv__binsparse_type type)
{
    const bool single = type.kind == 'f' && type.size == 4;
    if (type.complex) return single ? SPMV_C64 : SPMV_C128;
    return single ? SPMV_F32 : SPMV_F64;
}

/* Returns whether array i has a number for each group of entries. */
static bool is_grouped(const spmv__binsparse *d, int i)
{
    return d->layout->pointers != NULL && d->layout->grouped == i;
}

/* The groups, of which the descriptor does not say how many there are. */
static spmv_status find_groups(spmv__hdf5 *file, const spmv__binsparse *d, spmv_error *err)
{
    const int i = d->layout->grouped;
    int64_t groups = 0;
    spmv_status st;
    SPMV__TRY(spmv__hdf5_count(file, d->layout->arrays[i], &groups, err));
    SPMV__TRY(spmv__hdf5_find(file, d->layout->arrays[i], d->types[i], groups, err));
    SPMV__TRY(spmv__hdf5_find(file, d->layout->pointers, d->pointers, groups + 1, err));
done:
    return st;
}

static spmv_status find_arrays(spmv__hdf5 *file, const spmv__binsparse *d, const spmv_matrix *A,
                               spmv_error *err)
{
    const spmv__array *arrays = spmv__format_of(A->format)->arrays;
    const spmv__binsparse_type values = d->types[VALUES];
    const int64_t n = values.iso ? 1 : A->head.nnz;
    spmv_status st;

    for (int i = 0; i < VALUES; i++) {
        if (is_grouped(d, i))
            SPMV__TRY(find_groups(file, d, err));
        else
            SPMV__TRY(
                spmv__hdf5_find(file, d->layout->arrays[i], d->types[i], arrays[i].count(A), err));
    }
    st = spmv__hdf5_find(file, d->layout->arrays[VALUES], values, values.complex ? 2 * n : n, err);
done:
    return st;
}

/* The one value of all entries.  Where that is the whole number 1, there are none: it is how
 * patterns are stored. */
static spmv_status get_same_value(spmv__hdf5 *file, const spmv__binsparse *d, spmv_matrix *A,
                                  double value[2], const spmv__source *src, spmv_error *err)
{
    if (!d->types[VALUES].iso) return SPMV_SUCCESS;
    const spmv_status st = get_values(file, d, 1, value, src, err);
    if (st == SPMV_SUCCESS && is_integer(d->types[VALUES]) && value[0] == 1)
        A->head.type = SPMV_PATTERN;
    return st;
}

/* Numbers of groups ascend, and none is beyond the last row or column. */
static spmv_status check_groups(const int64_t *group, int64_t n, int64_t limit,
                                const spmv__source *src, const char *name, spmv_error *err)
{
    for (int64_t g = 0; g < n; g++)
        if (group[g] <= (g > 0 ? group[g - 1] : -1) || group[g] >= limit)
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "%s[%lld] is %lld, expected ascending numbers below %lld",
                                     name, (long long)g, (long long)group[g], (long long)limit);
    return SPMV_SUCCESS;
}

/* idx[p] = number of the group that entry p belongs to. */
static spmv_status get_groups(spmv__hdf5 *file, const spmv__binsparse *d, int64_t *idx,
                              const spmv__source *src, spmv_error *err)
{
    const spmv__binsparse_type type = {.kind = 'i', .size = sizeof *idx};
    const char *name = d->layout->arrays[d->layout->grouped];
    int64_t n = 0, *group = NULL, *pointers = NULL; /* [n], [n + 1] */
    spmv_status st;

    SPMV__TRY(spmv__hdf5_count(file, name, &n, err));
    SPMV__TRY(spmv__alloc(&group, n, sizeof *group, name, err));
    SPMV__TRY(spmv__alloc(&pointers, n + 1, sizeof *pointers, d->layout->pointers, err));
    SPMV__TRY(spmv__hdf5_get(file, name, type, group, err));
    SPMV__TRY(spmv__hdf5_get(file, d->layout->pointers, type, pointers, err));
    SPMV__TRY(check_groups(group, n, d->layout->by_column ? d->cols : d->rows, src, name, err));
    SPMV__TRY(spmv__check_offsets(pointers, n, d->nnz, d->layout->pointers, err));
    for (int64_t g = 0; g < n; g++)
        for (int64_t p = pointers[g]; p < pointers[g + 1]; p++) idx[p] = group[g];
done:
    free(group);
    free(pointers);
    return st;
}

static spmv_status get_arrays(spmv__hdf5 *file, const spmv__binsparse *d, spmv_matrix *A,
                              const double value[2], const spmv__source *src, spmv_error *err)
{
    const spmv__array *arrays = spmv__format_of(A->format)->arrays;
    spmv_status st = SPMV_SUCCESS;

    for (int i = 0; i < VALUES; i++) {
        const spmv__binsparse_type type = {
            .kind = 'i', .size = (int)spmv__element_size(arrays[i].element, A->head.type)};
        void *to = *spmv__array_pointer(A, &arrays[i]);
        if (is_grouped(d, i))
            SPMV__TRY(get_groups(file, d, to, src, err));
        else
            SPMV__TRY(spmv__hdf5_get(file, d->layout->arrays[i], type, to, err));
    }
    void *val = *spmv__array_pointer(A, &arrays[VALUES]);
    if (!d->types[VALUES].iso) SPMV__TRY(get_values(file, d, A->head.nnz, val, src, err));
    if (d->types[VALUES].iso && A->head.type != SPMV_PATTERN)
        for (int64_t p = 0; p < A->head.nnz; p++) spmv__copy_value(A->head.type, val, p, value, 0);
done:
    return st;
}

static spmv_status build(spmv__hdf5 *file, const spmv__binsparse *d, spmv_matrix *out,
                         const spmv__source *src, spmv_error *err)
{
    double value[2] = {0};
    spmv_status st;
    spmv_matrix A = spmv__blank(d->layout->format, value_type(d->types[VALUES]), d->symmetry,
                                d->rows, d->cols, d->nnz);

    SPMV__TRY(spmv__check_head(&A, err));
    SPMV__TRY(find_arrays(file, d, &A, err));
    SPMV__TRY(get_same_value(file, d, &A, value, src, err));
    SPMV__TRY(spmv__allocate(&A, err));
    SPMV__TRY(get_arrays(file, d, &A, value, src, err));
    if (d->layout->by_column) SPMV__TRY(spmv_coo_sort(&A.coo, SPMV_DUPLICATES_ERROR, NULL, err));
    SPMV__TRY(spmv_check(&A, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    spmv_destroy(&A);
    return st;
}

spmv_status spmv__binsparse_read(spmv_matrix *out, spmv__source *src,
                                 const spmv_read_options *options, spmv_file_info *info,
                                 spmv_error *err)
{
    spmv__binsparse d;
    spmv__hdf5 *file = NULL;
    char *text = NULL;
    spmv_matrix A = {0};
    spmv_status st;

    SPMV__TRY(spmv__hdf5_open(&file, src, err));
    SPMV__TRY(spmv__hdf5_get_text(file, "binsparse", &text, err));
    SPMV__TRY(spmv__binsparse_parse(&d, text, src, err));
    SPMV__TRY(build(file, &d, &A, src, err));
    info->entries = d.nnz;
    info->symmetry = d.symmetry;
    SPMV__TRY(spmv__finish_read(&A, options, err));
    *out = A;
    A = (spmv_matrix){0};
done:
    spmv_destroy(&A);
    spmv__hdf5_close(file);
    free(text);
    return st;
}
