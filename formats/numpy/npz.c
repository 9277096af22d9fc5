/* npz.c -- the arrays that a sparse matrix of SciPy consists of. */
#include "formats/numpy/npz.h"

const char *const spmv__npz_names[SPMV__NPZ_MEMBERS] = {
    [SPMV__NPZ_FORMAT] = "format.npy", [SPMV__NPZ_SHAPE] = "shape.npy",
    [SPMV__NPZ_DATA] = "data.npy",     [SPMV__NPZ_INDICES] = "indices.npy",
    [SPMV__NPZ_INDPTR] = "indptr.npy", [SPMV__NPZ_ROW] = "row.npy",
    [SPMV__NPZ_COL] = "col.npy",
};

const spmv__npz_layout spmv__npz_layouts[SPMV__NPZ_LAYOUTS] = {
    {"csr", SPMV_CSR, SPMV__NPZ_INDICES, SPMV__NPZ_INDPTR},
    {"csc", SPMV_CSC, SPMV__NPZ_INDICES, SPMV__NPZ_INDPTR},
    {"coo", SPMV_COO, SPMV__NPZ_COL, SPMV__NPZ_ROW},
};
