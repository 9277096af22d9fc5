/* no_matlab.c -- MATLAB's files in a build without matio: known, and refused. */
#include "formats/common/file_format.h"

const spmv__file_format spmv__matlab_file = {
    .info = {.name = "mat",
             .suffixes = ".mat",
             .summary = "MATLAB sparse matrix (not in this build)"},
    .lacking = "MATLAB's .mat files: it has no matio",
    .only_by_name = true,
};
