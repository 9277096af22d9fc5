/* hdf5.c -- what binsparse files need of HDF5: attributes that are text, arrays of numbers.
 *
 * Nothing that a file says is followed to another place: no links, no external or virtual data.
 * What the library prints of errors is kept silent while one of our files is open, and when the
 * program ends after a damaged one: of what that leaves behind it would complain then. */
#include "formats/binsparse/binsparse.h"
#include "formats/binsparse/hdf5_api.h"
#include "formats/stream/stream.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TEXT_LIMIT = 1 << 20, /* bytes of a descriptor */
    FILTERS = 3,          /* of an array at most: bytes shuffled, deflated, with a checksum */
    GROWTH = 1 << 16      /* bytes by which a new file grows */
};

struct spmv__hdf5 {
    const spmv__source *src; /* NULL: a new file */
    hid_t file, access;
    int64_t claimed;    /* bytes of the arrays so far, or of their chunks */
    char name[32];      /* under which HDF5 knows it, of no file */
    H5E_auto2_t report; /* how the library reported errors before */
    void *report_data;
};

/* src: NULL for a new file. */
static spmv_status allocate(spmv__hdf5 **out, const spmv__source *src, spmv_error *err)
{
    *out = NULL;
    spmv_status st = hdf5_load(err);
    if (st == SPMV_SUCCESS) st = spmv__alloc(out, 1, sizeof **out, "an HDF5 file", err);
    if (st != SPMV_SUCCESS) return st;
    hdf5.H5open();
    (*out)->src = src;
    (*out)->file = (*out)->access = H5I_INVALID_HID;
    snprintf((*out)->name, sizeof(*out)->name, "image-%p", (void *)*out);
    hdf5.H5Eget_auto2(H5E_DEFAULT, &(*out)->report, &(*out)->report_data);
    hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return SPMV_SUCCESS;
}

void spmv__hdf5_close(spmv__hdf5 *file)
{
    if (file == NULL) return;
    if (file->file >= 0) hdf5.H5Fclose(file->file);
    if (file->access >= 0) hdf5.H5Pclose(file->access);
    hdf5.H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data);
    free(file);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static void be_silent(void)
{
    hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* HDF5 has said before what it does at the end: this comes first. */
static void be_silent_at_exit(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said)) atexit(be_silent);
}

static spmv_status fail(const spmv__hdf5 *file, spmv_error *err, spmv_status status,
                        const char *name, const char *what)
{
    be_silent_at_exit();
    return spmv__source_fail(file->src, err, status, 0, 0, "%s %s", name, what);
}

/* HDF5 would copy an image of a file three times.  It copies with these, which give it the bytes of
 * the source instead; as it opens the file for reading only, it never changes them. */
static void *lend(size_t size, H5FD_file_image_op_t why, void *data)
{
    (void)size, (void)why;
    return data;
}

static void *leave(void *to, const void *from, size_t size, H5FD_file_image_op_t why, void *data)
{
    (void)from, (void)size, (void)why, (void)data;
    return to;
}

static herr_t keep(void *image, H5FD_file_image_op_t why, void *data)
{
    (void)image, (void)why, (void)data;
    return 0;
}

static void *share(void *data)
{
    return data;
}

static herr_t keep_shared(void *data)
{
    (void)data;
    return 0;
}

static void open_image(spmv__hdf5 *file, const spmv__source *src)
{
    void *data = (void *)(uintptr_t)src->data;
    H5FD_file_image_callbacks_t borrowed = {lend, leave, NULL, keep, share, keep_shared, data};
    file->access = hdf5.H5Pcreate(H5P_FILE_ACCESS);
    if (hdf5.H5Pset_fapl_core(file->access, GROWTH, 0) >= 0 &&
        hdf5.H5Pset_file_image_callbacks(file->access, &borrowed) >= 0 &&
        hdf5.H5Pset_file_image(file->access, data, (size_t)src->size) >= 0)
        file->file = hdf5.H5Fopen(file->name, H5F_ACC_RDONLY, file->access);
}

spmv_status spmv__hdf5_open(spmv__hdf5 **out, const spmv__source *src, spmv_error *err)
{
    spmv__hdf5 *file = NULL;
    spmv_status st;

    SPMV__TRY(allocate(&file, src, err));
    open_image(file, src);
    if (file->file < 0) {
        be_silent_at_exit();
        st = spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                               "this is not an HDF5 file, or it is damaged");
        goto done;
    }
    *out = file;
    file = NULL;
done:
    spmv__hdf5_close(file);
    return st;
}

/* The text of an open attribute, whose length the file either fixes or does not. */
static spmv_status take_text(const spmv__hdf5 *file, hid_t attribute, hid_t type, const char *name,
                             char **text, spmv_error *err)
{
    char *given = NULL;
    const bool variable = hdf5.H5Tis_variable_str(type) > 0;
    bool good = !variable || (hdf5.H5Aread(attribute, type, (void *)&given) >= 0 && given != NULL);
    const size_t size = !good ? 0 : variable ? strlen(given) : hdf5.H5Tget_size(type);
    spmv_status st = SPMV_SUCCESS;
    if (good && size <= TEXT_LIMIT) st = spmv__alloc(text, (int64_t)size + 1, 1, name, err);
    if (*text != NULL && variable) memcpy(*text, given, size);
    if (*text != NULL && !variable) good = hdf5.H5Aread(attribute, type, *text) >= 0;
    if (variable) hdf5.H5free_memory(given);
    if (st == SPMV_SUCCESS && (!good || *text == NULL))
        st = fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, "is damaged or too long");
    return st;
}

spmv_status spmv__hdf5_get_text(spmv__hdf5 *file, const char *name, char **text, spmv_error *err)
{
    spmv_status st = SPMV_ERROR_INVALID_FORMAT;
    *text = NULL;
    const hid_t attribute = hdf5.H5Aopen(file->file, name, H5P_DEFAULT);
    if (attribute < 0) return fail(file, err, st, name, "is not among the attributes of the file");
    const hid_t type = hdf5.H5Aget_type(attribute), space = hdf5.H5Aget_space(attribute);
    if (hdf5.H5Tget_class(type) == H5T_STRING && hdf5.H5Sget_simple_extent_npoints(space) == 1)
        st = take_text(file, attribute, type, name, text, err);
    else
        fail(file, err, st, name, "is not one text");
    hdf5.H5Sclose(space);
    hdf5.H5Tclose(type);
    hdf5.H5Aclose(attribute);
    return st;
}

/* Returns whether the numbers are stored as the type says.  Truth values may or may not have a
 * sign. */
static bool has_type(hid_t dataset, spmv__binsparse_type type)
{
    const hid_t stored = hdf5.H5Dget_type(dataset);
    const bool is_real = hdf5.H5Tget_class(stored) == H5T_FLOAT;
    const bool is_signed = hdf5.H5Tget_sign(stored) == H5T_SGN_2;
    const bool same = hdf5.H5Tget_size(stored) == (size_t)type.size &&
                      (is_real || hdf5.H5Tget_class(stored) == H5T_INTEGER) &&
                      is_real == (type.kind == 'f') &&
                      (is_real || type.kind == 'b' || is_signed == (type.kind == 'i'));
    hdf5.H5Tclose(stored);
    return same;
}

/* Numbers in an array of one dimension; -1 for any other, and for more than can be counted. */
static int64_t count_of(hid_t dataset)
{
    hsize_t found = 0;
    const hid_t space = hdf5.H5Dget_space(dataset);
    const bool good = hdf5.H5Sget_simple_extent_ndims(space) == 1 &&
                      hdf5.H5Sget_simple_extent_dims(space, &found, NULL) == 1 && found < INT64_MAX;
    hdf5.H5Sclose(space);
    return good ? (int64_t)found : -1;
}

/* Returns whether an array is packed by filters that every HDF5 has, and deflated once at most. */
static bool are_known(hid_t how, int filters)
{
    int deflated = 0;
    for (int i = 0; i < filters; i++) {
        size_t parameters = 0;
        const H5Z_filter_t id =
            hdf5.H5Pget_filter2(how, (unsigned)i, NULL, &parameters, NULL, 0, NULL, NULL);
        deflated += id == H5Z_FILTER_DEFLATE;
        if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32)
            return false;
    }
    return filters >= 0 && filters <= FILTERS && deflated <= 1;
}

/* What HDF5 unpacks at one time, a whole chunk, however few of its numbers the array has; `bytes`
 * where the array is not in chunks. */
static int64_t bytes_at_once(hid_t how, int size, int64_t bytes)
{
    hsize_t chunk = 0;
    int64_t whole;
    if (hdf5.H5Pget_layout(how) != H5D_CHUNKED || hdf5.H5Pget_chunk(how, 1, &chunk) != 1)
        return bytes;
    if (!spmv__product((int64_t)chunk, size, &whole)) return INT64_MAX;
    return whole > bytes ? whole : bytes;
}

/* In this file, as it is or by filters that are known; and in as many bytes of it as can hold an
 * array, and each chunk, of that size. */
static bool is_stored(const spmv__hdf5 *file, hid_t dataset, int64_t bytes, int64_t at_once)
{
    const hid_t how = hdf5.H5Dget_create_plist(dataset);
    const int filters = hdf5.H5Pget_nfilters(how);
    const hsize_t stored = hdf5.H5Dget_storage_size(dataset), whole = (hsize_t)file->src->size;
    const bool good = hdf5.H5Pget_external_count(how) == 0 &&
                      hdf5.H5Pget_layout(how) != H5D_VIRTUAL && stored <= whole &&
                      are_known(how, filters);
    hdf5.H5Pclose(how);
    const hsize_t needed = (hsize_t)(bytes > 0 ? at_once : 0);
    return good && needed / (filters > 0 ? SPMV__DEFLATE_LIMIT : 1) <= stored;
}

/* Stored in this file, and not to come to more than any packed file may. */
static spmv_status check_storage(spmv__hdf5 *file, hid_t dataset, const char *name, int size,
                                 int64_t count, spmv_error *err)
{
    spmv_error reason = {.message = ""};
    int64_t bytes, at_once = 0;
    bool good = spmv__product(count, size, &bytes);
    if (good) {
        const hid_t how = hdf5.H5Dget_create_plist(dataset);
        at_once = bytes_at_once(how, size, bytes);
        hdf5.H5Pclose(how);
        good = is_stored(file, dataset, bytes, at_once);
    }
    if (!good)
        return fail(file, err, SPMV_ERROR_INVALID_FORMAT, name,
                    "is not whole in the file, or stored by filters beyond one deflate, shuffle "
                    "and checksums");
    if (bytes > 0 && __builtin_add_overflow(file->claimed, at_once, &file->claimed))
        file->claimed = INT64_MAX;
    const spmv_status st = spmv__growth_check(file->src->size, file->claimed, &reason);
    return st == SPMV_SUCCESS ? st : fail(file, err, st, name, reason.message);
}

static spmv_status open_array(hid_t *dataset, const spmv__hdf5 *file, const char *name,
                              spmv_error *err)
{
    H5L_info_t link;
    if (hdf5.H5Lget_info(file->file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        return fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, "is not an array of the file");
    *dataset = hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
    if (*dataset < 0)
        return fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, "is damaged or not an array");
    return SPMV_SUCCESS;
}

spmv_status spmv__hdf5_count(spmv__hdf5 *file, const char *name, int64_t *count, spmv_error *err)
{
    hid_t dataset = H5I_INVALID_HID;
    const spmv_status st = open_array(&dataset, file, name, err);
    if (st != SPMV_SUCCESS) return st;
    *count = count_of(dataset);
    hdf5.H5Dclose(dataset);
    if (*count >= 0) return st;
    return fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, "does not have one dimension");
}

spmv_status spmv__hdf5_find(spmv__hdf5 *file, const char *name, spmv__binsparse_type type,
                            int64_t count, spmv_error *err)
{
    hid_t dataset = H5I_INVALID_HID;
    const char *fault = NULL;
    spmv_status st = open_array(&dataset, file, name, err);
    if (st != SPMV_SUCCESS) return st;
    if (count_of(dataset) != count)
        fault = "does not have one dimension of the length that the descriptor asks for";
    else if (!has_type(dataset, type))
        fault = "is not of the type that the descriptor names";
    else
        st = check_storage(file, dataset, name, type.size, count, err);
    hdf5.H5Dclose(dataset);
    return fault == NULL ? st : fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, fault);
}

/* The type of numbers in memory. */
static hid_t native(spmv__binsparse_type type)
{
    const hid_t signed_[] = {H5T_NATIVE_INT8, H5T_NATIVE_INT16, H5T_NATIVE_INT32, H5T_NATIVE_INT64};
    int log = 0;
    while (1 << log < type.size) log++;
    if (type.kind == 'f') return type.size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    return signed_[log];
}

spmv_status spmv__hdf5_get(spmv__hdf5 *file, const char *name, spmv__binsparse_type type, void *out,
                           spmv_error *err)
{
    const hid_t dataset = hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
    const bool good = dataset >= 0 &&
                      hdf5.H5Dread(dataset, native(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    if (dataset >= 0) hdf5.H5Dclose(dataset);
    return good ? SPMV_SUCCESS
                : fail(file, err, SPMV_ERROR_INVALID_FORMAT, name, "cannot be read: damaged");
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* All that can fail in memory is memory. */
static spmv_status written(bool success, spmv_error *err)
{
    if (success) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "not enough memory for an HDF5 file");
}

/* Of the kind that HDF5 1.8 and later read, with checksums of all but the arrays, without times. */
spmv_status spmv__hdf5_create(spmv__hdf5 **out, spmv_error *err)
{
    const spmv_status st = allocate(out, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const hid_t how = hdf5.H5Pcreate(H5P_FILE_CREATE), access = hdf5.H5Pcreate(H5P_FILE_ACCESS);
    (*out)->access = access;
    if (hdf5.H5Pset_obj_track_times(how, 0) >= 0 && hdf5.H5Pset_fapl_core(access, GROWTH, 0) >= 0 &&
        hdf5.H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        (*out)->file = hdf5.H5Fcreate((*out)->name, H5F_ACC_TRUNC, how, access);
    hdf5.H5Pclose(how);
    return written((*out)->file >= 0, err);
}

spmv_status spmv__hdf5_put_text(spmv__hdf5 *file, const char *name, const char *text,
                                spmv_error *err)
{
    hid_t attribute = H5I_INVALID_HID;
    const hid_t type = hdf5.H5Tcopy(H5T_C_S1), space = hdf5.H5Screate(H5S_SCALAR);
    if (hdf5.H5Tset_size(type, strlen(text) + 1) >= 0 && hdf5.H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        attribute = hdf5.H5Acreate2(file->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && hdf5.H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0) hdf5.H5Aclose(attribute);
    hdf5.H5Sclose(space);
    hdf5.H5Tclose(type);
    return written(good, err);
}

spmv_status spmv__hdf5_put(spmv__hdf5 *file, const char *name, spmv__binsparse_type type,
                           int64_t count, const void *data, spmv_error *err)
{
    const hsize_t size = (hsize_t)count;
    const hid_t how = hdf5.H5Pcreate(H5P_DATASET_CREATE),
                space = hdf5.H5Screate_simple(1, &size, NULL);
    hid_t dataset = H5I_INVALID_HID;
    if (hdf5.H5Pset_obj_track_times(how, 0) >= 0)
        dataset =
            hdf5.H5Dcreate2(file->file, name, native(type), space, H5P_DEFAULT, how, H5P_DEFAULT);
    const bool good =
        dataset >= 0 && (count == 0 || hdf5.H5Dwrite(dataset, native(type), H5S_ALL, H5S_ALL,
                                                     H5P_DEFAULT, data) >= 0);
    if (dataset >= 0) hdf5.H5Dclose(dataset);
    hdf5.H5Sclose(space);
    hdf5.H5Pclose(how);
    return written(good, err);
}

/* The driver for memory gives the address of the bytes as its handle. */
spmv_status spmv__hdf5_write(spmv__hdf5 *file, spmv__sink *sink, spmv_error *err)
{
    void **data = NULL;
    if (hdf5.H5Fflush(file->file, H5F_SCOPE_GLOBAL) < 0) return written(false, err);
    const ssize_t size = hdf5.H5Fget_file_image(file->file, NULL, 0);
    if (size < 0 || hdf5.H5Fget_vfd_handle(file->file, file->access, (void **)&data) < 0)
        return written(false, err);
    spmv__sink_expect(sink, size);
    spmv__sink_write(sink, *data, (size_t)size);
    return SPMV_SUCCESS;
}
