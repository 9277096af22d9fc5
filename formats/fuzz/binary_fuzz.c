/* binary_fuzz.c -- any bytes that begin as binary files do, or nearly.
 *
 * Mutations mostly end with right checksums and a right length, which chance would never find, so
 * that what lies after those checks is reached too. */
#include "formats/common/file_format.h"
#include "formats/binary/reseal_test.h"
#include "fuzz.h"

#include <stddef.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
    const uint64_t length = size = LLVMFuzzerMutate(data, size, room);
    if (seed % 16 != 0 && size >= sizeof(spmv__binary_header))
        memcpy(data + offsetof(spmv__binary_header, file_size), &length, sizeof length);
    if (seed % 8 != 0) reseal_sections(data, (int64_t)size);
    if (seed % 4 != 0) reseal_header(data, (int64_t)size);
    return size;
}

/* Changing a matrix while it is read may lead through CSR, whose size depends on the rows. */
static bool claims_many_rows(const uint8_t *data, size_t size)
{
    spmv__binary_header header;
    if (size < sizeof header) return false;
    memcpy(&header, data, sizeof header);
    return header.rows >= 1 << 16 || header.cols >= 1 << 16;
}

/* A file that the caller trusts may hold anything in its arrays.  Reading it is safe only as long
 * as nothing is made of them, as expanding or dropping zeros would. */
static void try_trusted(void)
{
    const spmv_read_options options = {
        .file_format = "binary", .keep_symmetry = true, .trust = true};
    spmv_matrix A;
    if (spmv_read(&A, FUZZ_PATH, &options, NULL, NULL) == SPMV_SUCCESS) spmv_destroy(&A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options as_it_is = {.keep_symmetry = true};
    const spmv_read_options options = claims_many_rows(data, size) ? as_it_is : fuzz_options(size);
    if (!spmv__binary_file.recognise(data, (int64_t)size)) return 0;
    fuzz_matrix(data, size, &options);
    try_trusted();
    return 0;
}
