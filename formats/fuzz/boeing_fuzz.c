/* boeing_fuzz.c -- any text as a Rutherford-Boeing file.
 *
 * What looks packed is the business of packed_fuzz, whose decoders need more memory. */
#include "formats/stream/packing.h"
#include "fuzz.h"

enum { SMALL = 1 << 12 }; /* sizes of a matrix that is written again */

/* Written and read again, a matrix has the same entries. */
static void try_again(const spmv_matrix *A)
{
    const spmv_write_options write = {.overwrite = true};
    const spmv_read_options read = {.keep_symmetry = true};
    spmv_matrix B;
    FUZZ_PROMISE(spmv_write(A, "again.rb", &write, NULL) == SPMV_SUCCESS);
    FUZZ_PROMISE(spmv_read(&B, "again.rb", &read, NULL, NULL) == SPMV_SUCCESS);
    FUZZ_PROMISE(A->head.nnz == B.head.nnz && A->head.symmetry == B.head.symmetry);
    FUZZ_PROMISE(A->head.rows == B.head.rows && A->head.cols == B.head.cols);
    spmv_destroy(&B);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spmv_matrix A;
    spmv_read_options options = fuzz_options(size);
    if (spmv__packing_by_content(data, (int64_t)size) != NULL) return 0;
    options.file_format = "rb";
    fuzz_matrix(data, size, &options);
    fuzz_file(data, size);
    if (spmv_read(&A, FUZZ_PATH, &options, NULL, NULL) != SPMV_SUCCESS) return 0;
    if (A.head.rows < SMALL && A.head.cols < SMALL) try_again(&A);
    spmv_destroy(&A);
    return 0;
}
