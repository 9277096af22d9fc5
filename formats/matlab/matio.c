/* matio.c -- the variables of MATLAB's files, by the library matio.
 *
 * The bytes of a file go into one that has no name but in /proc, and is gone with its descriptor.
 * HDF5 opens no such file, so that version 7.3 is read where it lies, if it is a file and not
 * packed.  The values of variables that are not chosen stay unread. */
#define _GNU_SOURCE /* memfd_create */
#include "formats/matlab/matlab.h"
#include "formats/matlab/matio_api.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 256 };        /* bytes of the name of a file */
enum { VARIABLES = 4096 };  /* of a file, at most */
enum { FIELDS = 256 };      /* of a structure that are looked at */
enum { WRITTEN = 1 << 20 }; /* bytes that are written at a time */

/* HDF5 prints what fails in it, and is told not to as long as a file is open. */
typedef int report_function(int64_t stack, void *user);
static union {
    struct {
        int (*H5Eget_auto2)(int64_t stack, report_function **report, void **user);
        int (*H5Eset_auto2)(int64_t stack, report_function *report, void *user);
    };
    void *all[1];
} reports;

struct spmv__matlab {
    const spmv__source *src;
    int fd; /* of the file in memory, or -1 */
    bool silenced;
    report_function *report; /* what HDF5 did before */
    void *user;
    mat_t *mat;
    int count;
    matvar_t *variables[VARIABLES];
};

/* ---- A file in memory ----------------------------------------------------------------------- */

static void name_of_descriptor(char name[NAME], int fd)
{
    snprintf(name, NAME, "/proc/self/fd/%d", fd);
}

static spmv_status create_memory(int *fd, spmv_error *err)
{
    *fd = memfd_create("spmv", MFD_CLOEXEC);
    if (*fd >= 0) return SPMV_SUCCESS;
    return spmv__fail(err, spmv__errno_status(errno), "memory cannot be made a file: %s",
                      strerror(errno));
}

static spmv_status fill(int fd, const spmv__source *src, spmv_error *err)
{
    for (int64_t at = 0; at < src->size;) {
        const ssize_t n = TEMP_FAILURE_RETRY(write(fd, src->data + at, (size_t)(src->size - at)));
        if (n <= 0) return spmv__source_fail_errno(src, err, "cannot copy");
        at += n;
    }
    return SPMV_SUCCESS;
}

/* ---- Reading -------------------------------------------------------------------------------- */

static spmv_status damaged(const spmv__matlab *file, spmv_error *err, const char *why)
{
    return spmv__source_fail(file->src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, "%s", why);
}

/* A header of 128 bytes begins with a text and ends with the order of bytes.  Version 4 has none to
 * be known by, and nothing of it is read. */
static bool is_version(const spmv__source *src, const char *text)
{
    return src->size >= 128 && memcmp(src->data, text, strlen(text)) == 0 &&
           (memcmp(src->data + 126, "IM", 2) == 0 || memcmp(src->data + 126, "MI", 2) == 0);
}

static spmv_status silence(spmv__matlab *file, spmv_error *err)
{
#ifdef SPMV_HDF5_SONAME
    static const char *const names[] = {"H5Eget_auto2", "H5Eset_auto2"};
    const spmv_status st = spmv__load_library(SPMV_HDF5_SONAME, names, reports.all, 2, err);
    if (st != SPMV_SUCCESS) return st;
    reports.H5Eget_auto2(0, &file->report, &file->user);
    reports.H5Eset_auto2(0, NULL, NULL);
    file->silenced = true;
    return SPMV_SUCCESS;
#else
    return spmv__source_fail(file->src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "this build cannot use MATLAB files in HDF5: it has no HDF5 library");
#endif
}

/* The name under which matio finds the bytes of the source. */
static spmv_status place(spmv__matlab *file, char name[NAME], spmv_error *err)
{
    const spmv__source *src = file->src;
    spmv_status st;
    if (is_version(src, "MATLAB 7.3 MAT-file")) {
        const size_t length = strlen(src->name);
        if (src->mapped == NULL || src->compression != NULL || src->member[0] != '\0' ||
            length + 1 >= sizeof src->name)
            return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                     "a MATLAB file in HDF5 cannot be read from a packed file, an "
                                     "archive or a pipe, nor under a name of %zu bytes and more",
                                     sizeof src->name - 1);
        if (src->is_stdin)
            name_of_descriptor(name, STDIN_FILENO);
        else
            memcpy(name, src->name, length + 1);
        return silence(file, err);
    }
    if (!is_version(src, "MATLAB 5.0 MAT-file"))
        return damaged(file, err, "this is not a MATLAB file of version 5 or 7.3");
    st = spmv__matlab_check(src, err);
    if (st == SPMV_SUCCESS) st = create_memory(&file->fd, err);
    if (st == SPMV_SUCCESS) st = fill(file->fd, src, err);
    if (st == SPMV_SUCCESS) name_of_descriptor(name, file->fd);
    return st;
}

spmv_status spmv__matlab_open(spmv__matlab **out, const spmv__source *src, spmv_error *err)
{
    spmv_status st;
    char name[NAME];
    spmv__matlab *file = NULL;

    *out = NULL;
    SPMV__TRY(matio_load(err));
    SPMV__TRY(spmv__alloc(&file, 1, sizeof *file, "the variables of a file", err));
    file->src = src;
    file->fd = -1;
    SPMV__TRY(place(file, name, err));
    errno = 0;
    file->mat = matio.Mat_Open(name, MAT_ACC_RDONLY);
    if (file->mat == NULL) {
        st = errno == EMFILE || errno == ENOMEM ? spmv__source_fail_errno(src, err, "cannot open")
                                                : damaged(file, err, "matio cannot open the file");
        goto done;
    }
    while (file->count < VARIABLES) {
        matvar_t *variable = matio.Mat_VarReadNextInfo(file->mat);
        if (variable == NULL) break;
        file->variables[file->count++] = variable;
    }
    *out = file;
    file = NULL;
done:
    spmv__matlab_close(file);
    return st;
}

void spmv__matlab_close(spmv__matlab *file)
{
    if (file == NULL) return;
    for (int i = 0; i < file->count; i++) matio.Mat_VarFree(file->variables[i]);
    if (file->mat != NULL) matio.Mat_Close(file->mat);
    if (file->fd >= 0) close(file->fd);
    if (file->silenced) reports.H5Eset_auto2(0, file->report, file->user);
    free(file);
}

static bool is_matrix(const matvar_t *variable)
{
    return variable->rank == 2 && variable->dims != NULL;
}

static bool is_sparse(const matvar_t *variable)
{
    return is_matrix(variable) && variable->class_type == MAT_C_SPARSE;
}

/* The number of fields of a structure that is one element, and whole; 0 for all else. */
static size_t fields_of(matvar_t *variable)
{
    if (!is_matrix(variable) || variable->class_type != MAT_C_STRUCT || variable->data == NULL ||
        variable->dims[0] != 1 || variable->dims[1] != 1 ||
        matio.Mat_VarGetStructFieldnames(variable) == NULL)
        return 0;
    const size_t n = matio.Mat_VarGetNumberOfFields(variable);
    const bool whole = variable->nbytes / sizeof(matvar_t *) >= n;
    return !whole ? 0 : n < FIELDS ? n : FIELDS;
}

/* Field i, if it is there and has a name; NAME.FIELD is in `name`. */
static matvar_t *field_of(matvar_t *variable, size_t i, char name[SPMV__MATLAB_NAME])
{
    const char *field_name = matio.Mat_VarGetStructFieldnames(variable)[i];
    matvar_t *field = matio.Mat_VarGetStructFieldByIndex(variable, i, 0);
    if (field == NULL || field_name == NULL) return NULL;
    snprintf(name, SPMV__MATLAB_NAME, "%.63s.%.63s", variable->name, field_name);
    return field;
}

void spmv__matlab_each(const spmv__matlab *file, spmv__matlab_visit *visit, void *user)
{
    char name[SPMV__MATLAB_NAME];
    for (int i = 0; i < file->count; i++) {
        matvar_t *variable = file->variables[i], *field;
        if (variable->name == NULL) continue;
        snprintf(name, sizeof name, "%.63s", variable->name);
        visit(user, name, is_sparse(variable));
        for (size_t k = 0, n = fields_of(variable); k < n; k++)
            if ((field = field_of(variable, k, name)) != NULL) visit(user, name, is_sparse(field));
    }
}

static matvar_t *find(const spmv__matlab *file, const char *wanted)
{
    char name[SPMV__MATLAB_NAME];
    for (int i = 0; i < file->count; i++) {
        matvar_t *variable = file->variables[i], *field;
        if (variable->name == NULL) continue;
        if (is_sparse(variable) && strcmp(variable->name, wanted) == 0) return variable;
        for (size_t k = 0, n = fields_of(variable); k < n; k++)
            if ((field = field_of(variable, k, name)) != NULL && is_sparse(field) &&
                strcmp(name, wanted) == 0)
                return field;
    }
    return NULL;
}

static const struct {
    enum matio_types type;
    char kind;
    int size;
} types[] = {{MAT_T_DOUBLE, 'f', 8}, {MAT_T_SINGLE, 'f', 4}, {MAT_T_INT8, 'i', 1},
             {MAT_T_UINT8, 'u', 1},  {MAT_T_INT16, 'i', 2},  {MAT_T_UINT16, 'u', 2},
             {MAT_T_INT32, 'i', 4},  {MAT_T_UINT32, 'u', 4}, {MAT_T_INT64, 'i', 8},
             {MAT_T_UINT64, 'u', 8}};

static bool take_type(const matvar_t *variable, spmv__matlab_sparse *out)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == variable->data_type) {
            out->kind = types[i].kind;
            out->size = types[i].size;
        }
    return out->size > 0;
}

/* matio leaves an array out where it has no elements. */
static bool take_arrays(const matvar_t *variable, spmv__matlab_sparse *out)
{
    const mat_sparse_t *data = variable->data;
    out->row_count = data->nir;
    out->col_count = data->njc;
    out->value_count = data->ndata;
    out->row_idx = data->ir;
    out->col_ptr = data->jc;
    out->re = data->data;
    if (variable->isComplex && data->data != NULL) {
        const mat_complex_split_t *parts = data->data;
        out->re = parts->Re;
        out->im = parts->Im;
        if (out->value_count > 0 && out->im == NULL) return false;
    }
    return (out->row_idx != NULL || out->row_count == 0) &&
           (out->col_ptr != NULL || out->col_count == 0) &&
           (out->re != NULL || out->value_count == 0);
}

spmv_status spmv__matlab_get(spmv__matlab *file, const char *name, spmv__matlab_sparse *out,
                             spmv_error *err)
{
    matvar_t *variable = find(file, name);
    *out = (spmv__matlab_sparse){0};
    if (variable == NULL) return damaged(file, err, "the matrix is not there");
    if (variable->data == NULL && matio.Mat_VarReadDataAll(file->mat, variable) != 0)
        return damaged(file, err, "the matrix is damaged or cut off: matio cannot read it");
    if (variable->data == NULL || !is_sparse(variable))
        return damaged(file, err, "the matrix has no data");
    out->rows = variable->dims[0];
    out->cols = variable->dims[1];
    out->logical = variable->isLogical != 0;
    if (!take_arrays(variable, out)) return damaged(file, err, "the matrix lacks an array");
    if (take_type(variable, out)) return SPMV_SUCCESS;
    return spmv__source_fail(file->src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                             "values of matio's type %d are not supported",
                             (int)variable->data_type);
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* What matio takes as its own to change stays as it is: it is told to copy nothing, and only
 * writes. */
static matvar_t *describe(const char *name, const spmv__matlab_sparse *A, mat_sparse_t *data,
                          mat_complex_split_t *parts)
{
    size_t dims[2] = {(size_t)A->rows, (size_t)A->cols};
    const int how = MAT_F_DONT_COPY_DATA | (A->im != NULL ? MAT_F_COMPLEX : 0) |
                    (A->logical ? MAT_F_LOGICAL : 0);
    *parts = (mat_complex_split_t){.Re = (void *)(uintptr_t)A->re, .Im = (void *)(uintptr_t)A->im};
    *data = (mat_sparse_t){.nzmax = (mat_uint32_t)A->row_count,
                           .ir = (mat_uint32_t *)(uintptr_t)A->row_idx,
                           .nir = (mat_uint32_t)A->row_count,
                           .jc = (mat_uint32_t *)(uintptr_t)A->col_ptr,
                           .njc = (mat_uint32_t)A->col_count,
                           .ndata = (mat_uint32_t)A->value_count,
                           .data = A->im != NULL ? (void *)parts : parts->Re};
    return matio.Mat_VarCreate(name, MAT_C_SPARSE, A->logical ? MAT_T_UINT8 : MAT_T_DOUBLE, 2, dims,
                               data, how);
}

/* matio passes over writes that fail, as where the size of files is limited: what it has written
 * must be as long as the one element of the file says, and no shorter than its arrays. */
static bool is_whole(int fd, const spmv__matlab_sparse *A)
{
    enum { HEAD = 128 }; /* bytes of the file; then the type and the length of the element */
    const int64_t value = (A->logical ? 1 : 8) * (A->im != NULL ? 2 : 1);
    const int64_t least = 4 * (A->row_count + A->col_count) + value * A->value_count;
    struct stat file;
    uint32_t tag[2];
    return fstat(fd, &file) == 0 && pread(fd, tag, sizeof tag, HEAD) == sizeof tag &&
           tag[1] >= least && file.st_size == HEAD + (int64_t)sizeof tag + tag[1];
}

/* The bytes of the file in memory go to the sink. */
static spmv_status copy_out(int fd, spmv__sink *sink, spmv_error *err)
{
    static const char what[] = "a file of MATLAB's";
    char *buffer = NULL;
    ssize_t n;
    spmv_status st = spmv__alloc(&buffer, WRITTEN, 1, what, err);
    for (off_t at = 0; st == SPMV_SUCCESS; at += n) {
        n = TEMP_FAILURE_RETRY(pread(fd, buffer, WRITTEN, at));
        if (n < 0) st = spmv__fail(err, SPMV_ERROR_FILE_IO, "cannot read back %s", what);
        if (n <= 0) break;
        spmv__sink_write(sink, buffer, (size_t)n);
    }
    free(buffer);
    return st;
}

spmv_status spmv__matlab_put(const char *name, const spmv__matlab_sparse *A, spmv__sink *sink,
                             spmv_error *err)
{
    spmv_status st;
    char path[NAME];
    int fd = -1;
    mat_t *mat = NULL;
    matvar_t *variable = NULL;
    mat_sparse_t data;
    mat_complex_split_t parts;

    SPMV__TRY(matio_load(err));
    SPMV__TRY(create_memory(&fd, err));
    name_of_descriptor(path, fd);
    mat = matio.Mat_CreateVer(path, "MATLAB 5.0 MAT-file, written by spmv", MAT_FT_MAT5);
    if (mat != NULL) variable = describe(name, A, &data, &parts);
    errno = 0;
    if (variable == NULL || matio.Mat_VarWrite(mat, variable, MAT_COMPRESSION_NONE) != 0) {
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "matio cannot make the file in memory");
        goto done;
    }
    matio.Mat_Close(mat);
    mat = NULL;
    if (!is_whole(fd, A))
        spmv__sink_fail(sink, errno != 0 ? errno : EIO);
    else
        st = copy_out(fd, sink, err);
done:
    if (variable != NULL) matio.Mat_VarFree(variable);
    if (mat != NULL) matio.Mat_Close(mat);
    if (fd >= 0) close(fd);
    return st;
}
