/* long_rows_test.c -- long rows of a product take no more than a few of them beside it. */
#include "core/base/peak_test.h"
#include "spmv.h"

#include <criterion/criterion.h>
#include <malloc.h>

enum { ROWS = 40, LONG = 1 << 20 };

/* A pattern of n rows of `length` entries from the first column on. */
static spmv_matrix full_rows(int64_t n, int64_t length)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, n, length, n * length, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < n; r++) {
        A.csr.row_ptr[r + 1] = (r + 1) * length;
        for (int64_t c = 0; c < length; c++) A.csr.col_idx[r * length + c] = (int32_t)c;
    }
    return A;
}

Test(long_rows, long_rows_do_not_stay_in_buffers)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the sanitizer keeps what is released");
#endif
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    spmv_matrix A = full_rows(ROWS, 2), B = full_rows(2, LONG), C;
    for (int threads = 1; threads <= 4; threads *= 2) {
        const spmv_spgemm_options options = {.threads = threads};
        if (!test_forget_peak()) cr_skip_test("this system does not tell how much memory it took");
        const long before = test_own_memory("VmRSS");
        cr_assert_eq(spmv_spgemm(&C, &A, &B, &options, NULL, NULL), SPMV_SUCCESS);
        const long most = test_own_memory("VmHWM") - before;
        const long own = (long)spmv_memory_bytes(&C), row = 12 * (long)LONG;
        cr_assert_eq(C.head.nnz, (int64_t)ROWS * LONG);
        /* Two rows, and the marks and sums of a thread, which are about as large as one. */
        cr_assert_leq(most - own, threads * (3 * row + (8L << 20)), "%d threads: %ld beside %ld",
                      threads, most - own, own);
        spmv_destroy(&C);
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
}
