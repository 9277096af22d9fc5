/* parts_memory_test.c -- when one rank gets no memory, all give up together, with its words.
 *
 * The linker sends every allocation of the library here (-Wl,--wrap); one that is forgotten by an
 * agreement would leave the other ranks waiting for ever. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "core/parts/merge_shares.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* Of the calling thread, which is a rank. */
static _Thread_local long until_failure = -1; /* so many more succeed; negative: all do */
static _Thread_local bool failed;

static bool refuse(void)
{
    if (until_failure < 0 || until_failure-- > 0) return false;
    failed = true;
    return true;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

enum { RANKS = 3 };

typedef struct scarcity scarcity;

/* What is done, and who is to fail when. */
struct scarcity {
    spmv_status (*work)(spmv_comm *comm, const scarcity *s, spmv_error *err);
    const spmv_matrix *A;
    const spmv_dense *x;
    spmv_partition by;
    int rank;
    long allocation;
    bool failed; /* it has */
};

static spmv_status multiply_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_dense mine = {0}, whole = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? s->A : NULL, s->by, err));
    SPMV__TRY(spmv_part_scatter(&mine, comm, part.col_begin, s->x, err));
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, SPMV_F64, 1, err));
    SPMV__TRY(spmv_part_gather(&whole, comm, part.col_begin, &mine, err));
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    spmv_dense_destroy(&mine);
    spmv_dense_destroy(&whole);
    return st;
}

static spmv_status rank_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    const bool root = comm->rank == 0;
    const spmv_pagerank_config config = {.unweighted = true, .max_iterations = 2};
    spmv_pagerank_result result = {0};
    const spmv_status st = spmv_pagerank_on_ranks(root ? &result : NULL, comm, root ? s->A : NULL,
                                                  root ? &config : NULL, err);
    spmv_pagerank_destroy(&result);
    return st;
}

/* Every entry belongs to the share of one rank. */
static spmv_status take_entries(spmv_csr *out, const spmv_csr *A, const spmv_comm *comm,
                                spmv_error *err)
{
    int64_t n = 0;
    const spmv_status st = spmv_csr_create(out, A->type, A->rows, A->cols, A->nnz, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
            if (p % comm->size == comm->rank) out->col_idx[n++] = A->col_idx[p];
        out->row_ptr[r + 1] = n;
    }
    out->nnz = n;
    return st;
}

static spmv_status merge_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    spmv_csr share = {0};
    spmv_part part = {0};
    spmv_status st = take_entries(&share, &s->A->csr, comm, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__part_merge(&part, comm, &share, SPMV_PARTITION_NNZ, err));
done:
    spmv_part_destroy(&part);
    spmv_csr_destroy(&share);
    return st;
}

static const char *work_scarcely(spmv_comm *comm, void *user)
{
    scarcity *s = user;
    spmv_error err = {0};
    failed = false;
    until_failure = comm->rank == s->rank ? s->allocation : -1;
    const spmv_status st = s->work(comm, s, &err);
    until_failure = -1;
    if (comm->rank == s->rank) s->failed = failed;
    spmv_comm_agree(comm, SPMV_SUCCESS, NULL); /* the others learn whether it has */
    if (!s->failed) return st == SPMV_SUCCESS ? NULL : "a failure of nobody";
    if (st != SPMV_ERROR_OUT_OF_MEMORY) return "another status than that of who has failed";
    return strstr(err.message, "cannot allocate") != NULL ? NULL : "another sentence";
}

/* Each rank fails in turn, at each of its allocations. */
static void starve_all(scarcity s)
{
    for (s.rank = 0; s.rank < RANKS; s.rank++) {
        s.failed = true;
        for (s.allocation = 0; s.failed; s.allocation++) {
            const char *complaint = team_run(RANKS, work_scarcely, &s);
            cr_assert_null(complaint, "rank %d, allocation %ld: %s", s.rank, s.allocation,
                           complaint);
        }
        cr_assert_gt(s.allocation, 15, "rank %d has few allocations that could fail", s.rank);
    }
}

Test(parts_memory, a_product_without_memory_ends_on_all_ranks)
{
    test_sample sample = test_sample_make(5, SPMV_F64, 0);
    spmv_matrix A;
    spmv_dense x;
    /* In coordinates, so that rank 0 has to convert them. */
    cr_assert(test_convert(&A, &sample.A, SPMV_COO, sample.label));
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, A.head.cols, 1, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = multiply_all, .A = &A, .x = &x});
    starve_all((scarcity){.work = multiply_all, .A = &A, .x = &x, .by = SPMV_PARTITION_NONZEROS});
    spmv_destroy(&A);
    spmv_dense_destroy(&x);
    spmv_destroy(&sample.A);
}

Test(parts_memory, rankings_and_shares_without_memory_end_on_all_ranks)
{
    const spmv_generate_options options = {.scale = 12, .per_row = 4, .seed = 1};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = rank_all, .A = &A});
    starve_all((scarcity){.work = merge_all, .A = &A});
    spmv_destroy(&A);
}
