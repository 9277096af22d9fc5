/* partition_graph_test.c -- what METIS makes of graphs of all shapes. */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* The library's allocations, which the linker sends here: so many more succeed; negative: all. */
static long until_failure = -1;

static bool refuse(void)
{
    return until_failure >= 0 && until_failure-- == 0;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

static const int sizes[] = {1, 2, 3, 7, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Every row goes to a rank, and to the same one when it is asked again. */
static void assert_partitioned(const spmv_csr *A, int ranks, const char *label)
{
    spmv_error err = {0};
    int32_t *first = NULL, *second = NULL;
    cr_assert_eq(spmv_partition_graph(&first, A, ranks, &err), SPMV_SUCCESS, "%s, %d ranks: %s",
                 label, ranks, err.message);
    cr_assert_eq(spmv_partition_graph(&second, A, ranks, &err), SPMV_SUCCESS, "%s", label);
    for (int64_t r = 0; r < A->rows; r++)
        cr_assert(first[r] >= 0 && first[r] < ranks && first[r] == second[r],
                  "%s, %d ranks: row %lld goes to %d and %d", label, ranks, (long long)r, first[r],
                  second[r]);
    free(first);
    free(second);
}

/* The longer side becomes both; what is added has no entries. */
static spmv_csr make_square(const test_sample *s)
{
    spmv_matrix A;
    if (s->A.head.cols > s->A.head.rows)
        cr_assert_eq(spmv_transpose(&A, &s->A, NULL, NULL), SPMV_SUCCESS);
    else
        cr_assert(test_convert(&A, &s->A, SPMV_CSR, s->label));
    A.csr.cols = A.csr.rows;
    return A.csr;
}

/* With loops, empty rows, rows of nearly everything, and more ranks than rows. */
Test(partition_graph, random_matrices, .init = cr_redirect_stdout)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_F32, 0);
        spmv_csr A = make_square(&s);
        assert_partitioned(&A, sizes[k % SIZES], s.label);
        spmv_csr_destroy(&A);
        spmv_destroy(&s.A);
    }
    fflush(stdout);
    cr_assert_stdout_eq_str(""); /* METIS has a tongue of its own */
}

/* Without a single edge, and without a row. */
Test(partition_graph, diagonals_and_nothing)
{
    for (int i = 0; i < SIZES; i++)
        for (int64_t n = 0; n < 300; n = 3 * n + 1) {
            spmv_csr A;
            cr_assert_eq(spmv_csr_create(&A, SPMV_PATTERN, n, n, n, NULL), SPMV_SUCCESS);
            for (int64_t r = 0; r < n; r++) {
                A.col_idx[r] = (int32_t)r;
                A.row_ptr[r + 1] = r + 1;
            }
            assert_partitioned(&A, sizes[i], "a diagonal");
            spmv_csr_destroy(&A);
        }
}

/* Even rows need all even ones before them, odd ones all odd ones, and the last one the first. */
Test(partition_graph, two_crowds_are_told_apart)
{
    enum { ROWS = 60 };
    int32_t *rank = NULL;
    spmv_csr A;
    int64_t n = 0;
    cr_assert_eq(spmv_csr_create(&A, SPMV_PATTERN, ROWS, ROWS, ROWS * ROWS / 4 + 1, NULL),
                 SPMV_SUCCESS);
    for (int32_t r = 0; r < ROWS; r++) {
        if (r == ROWS - 1) A.col_idx[n++] = 0;
        for (int32_t c = r % 2; c < r; c += 2) A.col_idx[n++] = c;
        A.row_ptr[r + 1] = n;
    }
    A.nnz = n;
    cr_assert_eq(spmv_partition_graph(&rank, &A, 2, NULL), SPMV_SUCCESS);
    cr_assert_neq(rank[0], rank[1]);
    for (int r = 2; r < ROWS; r++) cr_assert_eq(rank[r], rank[r % 2], "row %d", r);
    free(rank);
    spmv_csr_destroy(&A);
}

Test(partition_graph, without_memory_there_is_none)
{
    const spmv_generate_options options = {.grid = 6};
    spmv_csr A = {0};
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    int32_t *rank = NULL;
    long k = 0;
    cr_assert_eq(spmv_generate(&A, "stencil5", &options, NULL), SPMV_SUCCESS);
    while (st == SPMV_ERROR_OUT_OF_MEMORY) {
        until_failure = k++;
        st = spmv_partition_graph(&rank, &A, 3, NULL);
        cr_assert_eq(rank != NULL, st == SPMV_SUCCESS, "allocation %ld", k);
    }
    cr_assert_eq(st, SPMV_SUCCESS);
    cr_assert_geq(until_failure, 0, "an allocation that failed was not missed");
    cr_assert_gt(k, 5);
    until_failure = -1;
    free(rank);
    spmv_csr_destroy(&A);
}

static void ignore(int signal)
{
    (void)signal;
}

Test(partition_graph, handlers_of_signals_stay_as_they_were)
{
    const spmv_generate_options options = {.grid = 6};
    const struct sigaction ours = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    struct sigaction after;
    spmv_csr A = {0};
    int32_t *rank = NULL;
    cr_assert_eq(sigaction(SIGTERM, &ours, NULL), 0);
    cr_assert_eq(spmv_generate(&A, "stencil5", &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_partition_graph(&rank, &A, 3, NULL), SPMV_SUCCESS);
    cr_assert_eq(sigaction(SIGTERM, NULL, &after), 0);
    cr_assert_eq(after.sa_handler, ignore);
    cr_assert_eq(after.sa_flags & (int)(SA_RESTART | SA_RESETHAND | SA_NODEFER), SA_RESTART);
    free(rank);
    spmv_csr_destroy(&A);
}

Test(partition_graph, what_is_no_graph_is_refused)
{
    spmv_csr A = {0};
    int32_t none = 0, *rank = &none;
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 2, 3, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_partition_graph(&rank, &A, 1, NULL), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_null(rank);
    A.cols = 2;
    A.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_partition_graph(&rank, &A, 1, NULL), SPMV_ERROR_UNSUPPORTED);
    A.symmetry = SPMV_GENERAL;
    cr_assert_eq(spmv_partition_graph(&rank, &A, 0, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_partition_graph(NULL, &A, 1, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_partition_graph(&rank, NULL, 1, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_csr_destroy(&A);
}
