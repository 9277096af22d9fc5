/* mtx_fuzz.c -- any text that begins as Matrix Market files do. */
#include "formats/common/file_format.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options options = fuzz_options(size);
    if (!spmv__mtx_file.recognise(data, (int64_t)size)) return 0;
    fuzz_matrix(data, size, &options);
    return 0;
}
