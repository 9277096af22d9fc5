/* scores_fuzz.c -- any text as the scores of a graph's nodes: lines with labels, or a vector.
 *
 * What looks packed is the business of packed_fuzz, whose decoders need more memory. */
#include "formats/stream/packing.h"
#include "fuzz.h"

enum { NODES = 4 };

/* The text that spmv_write_scores makes of numbers that were read holds the same numbers. */
static void try_file(const spmv_dense *x, const spmv_labels *labels)
{
    const spmv_write_options write = {.overwrite = true};
    spmv_dense y;
    FUZZ_PROMISE(spmv_write_scores(x, labels, NULL, "scores.txt", &write, NULL) == SPMV_SUCCESS);
    FUZZ_PROMISE(spmv_read_scores(&y, "scores.txt", labels, "score", NULL, NULL) == SPMV_SUCCESS);
    for (int64_t i = 0; i < NODES; i++)
        FUZZ_PROMISE(((const double *)x->data)[i] == ((const double *)y.data)[i]);
    spmv_dense_destroy(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int64_t ids[NODES] = {0, 7, 42, INT64_MAX};
    const spmv_labels labels = {.n = NODES, .first = 1, .id = size % 2 == 0 ? ids : NULL};
    const spmv_read_options options = fuzz_options(size);
    spmv_dense x;
    spmv_error err = {0};
    if (spmv__packing_by_content(data, (int64_t)size) != NULL) return 0;
    if (fuzz_is_long_vector(data, size)) return 0;
    fuzz_file(data, size);
    if (spmv_read_scores(&x, FUZZ_PATH, &labels, "score", &options, &err) != SPMV_SUCCESS) {
        FUZZ_PROMISE(err.message[0] != '\0' && x.data == NULL);
        return 0;
    }
    FUZZ_PROMISE(x.type == SPMV_F64 && x.rows == NODES && x.cols == 1);
    try_file(&x, &labels);
    spmv_dense_destroy(&x);
    return 0;
}
