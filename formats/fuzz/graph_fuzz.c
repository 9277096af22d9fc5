/* graph_fuzz.c -- any text as an edge list, a METIS graph or a DIMACS graph.
 *
 * What looks packed is the business of packed_fuzz, whose decoders need more memory. */
#include "formats/stream/packing.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"el", "metis", "dimacs"};
    spmv_read_options options = fuzz_options(size);
    if (spmv__packing_by_content(data, (int64_t)size) != NULL) return 0;
    options.file_format = names[size % 3];
    options.all_ids = size & 1;
    fuzz_matrix(data, size, &options);
    return 0;
}
