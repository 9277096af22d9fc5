/* fuzz.h -- what the fuzz targets share: bytes in the place of a file, and what must hold of
 * whatever was read from them.
 *
 * A target is one function in one file and one line in the table `targets`; scripts/fuzz builds and
 * runs them all.  A broken promise ends the process, and libFuzzer keeps the input. */
#pragma once

#include "spmv.h"

/* libFuzzer's interface; targets define the first, and the second where inputs need repair. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

#define FUZZ_PROMISE(condition)             \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

/* The path under which spmv_read and spmv_read_vector find the bytes.  They are an allocation of
 * exactly their size, so that AddressSanitizer sees a read beyond them. */
#define FUZZ_PATH "fuzz"
void fuzz_file(const uint8_t *data, size_t size);

/* Options that follow from the size, so that an input always meets the same ones. */
spmv_read_options fuzz_options(size_t size);

/* Are they a Matrix Market file with 2^20 rows and more?  A vector in coordinates takes memory for
 * as many rows as it says, up to that of the machine. */
bool fuzz_is_long_vector(const uint8_t *data, size_t size);

/* Read the bytes as a matrix.  A success gives a valid matrix, which every format can hold and give
 * back, and which written as text and as binary file reads back the same; a failure says why. */
void fuzz_matrix(const uint8_t *data, size_t size, const spmv_read_options *options);
