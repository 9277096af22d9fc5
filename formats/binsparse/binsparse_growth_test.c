/* binsparse_growth_test.c -- arrays of HDF5 that unpack to far more than the file are refused
 * before anything is unpacked. */
#include "formats/binsparse/binsparse.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

static const char text[] =
    "{\"binsparse\": {\"version\": \"0.1\", \"format\": \"CSR\", \"shape\": [3, 4], "
    "\"number_of_stored_values\": 5, \"data_types\": {\"pointers_to_1\": \"int64\", "
    "\"indices_1\": \"int64\", \"values\": \"int64\"}}}";

/* In chunks of so many numbers, deflated so many times. */
static void put(hid_t file, const char *name, const int64_t *data, hsize_t count, hsize_t chunk,
                int deflated)
{
    const hsize_t unlimited = H5S_UNLIMITED;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &count, &unlimited);
    cr_assert_geq(H5Pset_chunk(how, 1, &chunk), 0);
    for (int i = 0; i < deflated; i++) cr_assert_geq(H5Pset_deflate(how, 9), 0);
    const hid_t set =
        H5Dcreate2(file, name, H5T_NATIVE_INT64, space, H5P_DEFAULT, how, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(how);
}

static spmv_status read_chunks(hsize_t chunk, int deflated, spmv_error *err)
{
    static const int64_t pointers[] = {0, 2, 4, 5}, indices[] = {0, 2, 1, 2, 3},
                         values[] = {1, 2, 3, 4, 5};
    char path[64];
    spmv_matrix A = {0};
    snprintf(path, sizeof path, "/tmp/spmv-growth-%ld.h5", (long)getpid());
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, sizeof text);
    const hid_t attribute = H5Acreate2(file, "binsparse", type, space, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(attribute, type, text), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    put(file, "pointers_to_1", pointers, 4, 16, 0);
    put(file, "indices_1", indices, 5, 16, 0);
    put(file, "values", values, 5, chunk, deflated);
    H5Fclose(file);
    const spmv_status st =
        spmv_read(&A, path, &(spmv_read_options){.file_format = "binsparse"}, NULL, err);
    spmv_destroy(&A);
    unlink(path);
    return st;
}

Test(binsparse_growth, chunks_as_programs_write_them_are_read)
{
    spmv_error err = {.message = ""};
    cr_assert_eq(read_chunks(16, 0, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(read_chunks(1024, 1, &err), SPMV_SUCCESS, "%s", err.message);
}

Test(binsparse_growth, is_limited_as_that_of_everything_packed)
{
    spmv_error err = {.message = ""};
    cr_assert_eq(read_chunks(1 << 24, 1, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "unpack to more than 256 times"), "%s", err.message);
}

Test(binsparse_growth, nothing_is_deflated_twice)
{
    spmv_error err = {.message = ""};
    cr_assert_eq(read_chunks(1024, 2, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "beyond one deflate"), "%s", err.message);
}
