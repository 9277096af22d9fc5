/* hdf5_api.h -- HDF5, loaded by the first file that needs it: with its dependencies it is forty
 * libraries, and loading them takes longer than multiplying a small matrix. */
#pragma once

#include "core/base/load_library.h"

#include <hdf5.h>

/* The functions and the numbers of types that hdf5.c uses. */
/* clang-format off */
#define HDF5_API(X) \
    X(H5open) X(H5free_memory) X(H5Aclose) X(H5Acreate2) X(H5Aget_space) X(H5Aget_type)     \
    X(H5Aopen) X(H5Aread) X(H5Awrite) X(H5Dclose) X(H5Dcreate2) X(H5Dget_create_plist)      \
    X(H5Dget_space) X(H5Dget_storage_size) X(H5Dget_type) X(H5Dopen2) X(H5Dread)            \
    X(H5Dwrite) X(H5Eget_auto2) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate) X(H5Fflush)        \
    X(H5Fget_file_image) X(H5Fget_vfd_handle) X(H5Fopen) X(H5Lget_info) X(H5Pclose)         \
    X(H5Pcreate) X(H5Pget_chunk) X(H5Pget_external_count) X(H5Pget_filter2)                 \
    X(H5Pget_layout) X(H5Pget_nfilters) X(H5Pset_fapl_core) X(H5Pset_file_image)            \
    X(H5Pset_file_image_callbacks) X(H5Pset_libver_bounds) X(H5Pset_obj_track_times)        \
    X(H5Sclose) X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_dims)               \
    X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_npoints) X(H5Tclose) X(H5Tcopy)    \
    X(H5Tget_class) X(H5Tget_sign) X(H5Tget_size) X(H5Tis_variable_str) X(H5Tset_cset)      \
    X(H5Tset_size) X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g)               \
    X(H5P_CLS_FILE_CREATE_ID_g) X(H5T_C_S1_g) X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_FLOAT_g)  \
    X(H5T_NATIVE_INT8_g) X(H5T_NATIVE_INT16_g) X(H5T_NATIVE_INT32_g) X(H5T_NATIVE_INT64_g)
/* clang-format on */

SPMV__LIBRARY(hdf5, HDF5_API, SPMV_HDF5_SONAME)

/* The macros of hdf5.h go through the pointers, and do not begin the library each time. */
#undef H5OPEN
#define H5OPEN
#undef H5CHECK
#define H5CHECK
#define H5P_CLS_DATASET_CREATE_ID_g (*hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g (*hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_FILE_CREATE_ID_g (*hdf5.H5P_CLS_FILE_CREATE_ID_g)
#define H5T_C_S1_g (*hdf5.H5T_C_S1_g)
#define H5T_NATIVE_DOUBLE_g (*hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_FLOAT_g (*hdf5.H5T_NATIVE_FLOAT_g)
#define H5T_NATIVE_INT8_g (*hdf5.H5T_NATIVE_INT8_g)
#define H5T_NATIVE_INT16_g (*hdf5.H5T_NATIVE_INT16_g)
#define H5T_NATIVE_INT32_g (*hdf5.H5T_NATIVE_INT32_g)
#define H5T_NATIVE_INT64_g (*hdf5.H5T_NATIVE_INT64_g)
