/* graph_fuzz.c -- any text as an edge list, a METIS graph or a DIMACS graph. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"el", "metis", "dimacs"};
    spmv_read_options options = fuzz_options(size);
    options.file_format = names[size % 3];
    options.compact = size & 1;
    options.undirected = size & 8;
    fuzz_matrix(data, size, &options);
    return 0;
}
