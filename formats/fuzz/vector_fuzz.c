/* vector_fuzz.c -- any bytes as a vector: plain text, Matrix Market, NumPy.
 *
 * What looks packed is the business of packed_fuzz, whose decoders need more memory. */
#include "core/matrix/value.h"
#include "formats/stream/packing.h"
#include "fuzz.h"

/* Of a NaN, text holds no more than that it is one. */
static bool same(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static void try_file(const spmv_dense *x, const char *path)
{
    const spmv_write_options write = {.overwrite = true};
    spmv_dense y;
    FUZZ_PROMISE(spmv_write_vector(x, path, &write, NULL) == SPMV_SUCCESS);
    FUZZ_PROMISE(spmv_read_vector(&y, path, NULL, NULL) == SPMV_SUCCESS);
    FUZZ_PROMISE(y.rows == x->rows && y.cols == x->cols && y.type == x->type);
    for (int64_t i = 0; i < x->rows * x->cols; i++) {
        const spmv_scalar a = spmv__scalar(x->type, x->data, i),
                          b = spmv__scalar(y.type, y.data, i);
        FUZZ_PROMISE(same(a.re, b.re) && same(a.im, b.im));
    }
    spmv_dense_destroy(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options options = fuzz_options(size);
    spmv_dense x;
    spmv_error err = {0};
    if (spmv__packing_by_content(data, (int64_t)size) != NULL) return 0;
    if (fuzz_is_long_vector(data, size)) return 0;
    fuzz_file(data, size);
    if (spmv_read_vector(&x, FUZZ_PATH, &options, &err) != SPMV_SUCCESS) {
        FUZZ_PROMISE(err.message[0] != '\0' && x.data == NULL);
        return 0;
    }
    try_file(&x, "vector.mtx");
    if (x.rows > 0 && x.cols == 1 && !spmv_type_is_complex(x.type)) try_file(&x, "vector.txt");
    spmv_dense_destroy(&x);
    return 0;
}
