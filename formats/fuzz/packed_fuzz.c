/* packed_fuzz.c -- any bytes as a file of whatever compression, archive or format they begin like.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options options = fuzz_options(size);
    fuzz_matrix(data, size, &options);
    return 0;
}
