/* symmetrize_part_test.c -- ranks take each edge both ways as the definition has it. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <math.h>

static const int sizes[] = {1, 2, 3, 4, 7};
enum { SIZES = sizeof sizes / sizeof *sizes, SIDE = 23 };

/* A matrix, and what is expected at each place: whether there is an entry, and its value. */
typedef struct both_ways {
    spmv_matrix A;
    spmv_partition by;
    bool has[SIDE * SIDE];
    double value[SIDE * SIDE];
} both_ways;

static const char *compare(const both_ways *b, const spmv_csr *got)
{
    int64_t n = 0;
    for (int64_t i = 0; i < SIDE * SIDE; i++) n += b->has[i];
    if (got->nnz != n) return "another number of entries";
    for (int64_t r = 0; r < SIDE; r++)
        for (int64_t p = got->row_ptr[r]; p < got->row_ptr[r + 1]; p++) {
            const int64_t at = r * SIDE + got->col_idx[p];
            if (!b->has[at]) return "an entry where none is";
            if (p > got->row_ptr[r] && got->col_idx[p] <= got->col_idx[p - 1])
                return "columns that do not rise";
            const double value = spmv__value(got->type, got->val, p);
            if (value != b->value[at] && !(isnan(value) && isnan(b->value[at])))
                return "another value";
        }
    return NULL;
}

static const char *symmetrize(spmv_comm *comm, void *user)
{
    const both_ways *b = user;
    spmv_part part = {0}, both = {0};
    spmv_matrix got = {0};
    const char *complaint = NULL;
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? &b->A : NULL, b->by, NULL));
    SPMV__TRY(spmv_part_symmetrize(&both, comm, &part, NULL));
    SPMV__TRY(spmv_part_collect(&got, comm, &both, NULL));
    if (comm->rank == 0) complaint = compare(b, &got.csr);
done:
    spmv_part_destroy(&part);
    spmv_part_destroy(&both);
    spmv_destroy(&got);
    return st == SPMV_SUCCESS ? complaint : spmv_error_string(st);
}

static void assert_both_ways(both_ways *b, const char *label)
{
    for (int i = 0; i < SIZES; i++)
        for (b->by = SPMV_PARTITION_NNZ; b->by <= SPMV_PARTITION_ROWS; b->by++) {
            const char *complaint = team_run(sizes[i], symmetrize, b);
            cr_assert_null(complaint, "%s, %d ranks by %d: %s", label, sizes[i], (int)b->by,
                           complaint);
        }
}

/* What there is to be made of a matrix, which may be symmetric. */
static void expect(both_ways *b, const double *dense, bool symmetric)
{
    for (int64_t r = 0; r < SIDE; r++)
        for (int64_t c = 0; c < SIDE; c++) {
            const double a = dense[r * SIDE + c], mirror = r == c ? 0 : dense[c * SIDE + r];
            const double value = symmetric ? a : a + mirror;
            b->has[r * SIDE + c] = a != 0 || mirror != 0;
            b->value[r * SIDE + c] = b->A.head.type == SPMV_PATTERN ? 1 : value;
        }
}

/* Loops, edges one way and both ways, and nodes without any; of a column nearly all entries, so
 * that rows of the transpose are as long as those of nobody. */
static void fill(double *dense, unsigned seed)
{
    for (int64_t r = 0; r < SIDE; r++)
        for (int64_t c = 0; c < SIDE; c++) {
            seed = seed * 1103515245 + 12345;
            const bool entry = (seed >> 16) % 7 == 0 || (c == 3 && r % 5 != 0);
            dense[r * SIDE + c] = entry && r % 6 != 1 ? 1 + (double)((seed >> 20) % 16) / 3 : 0;
        }
}

Test(symmetrize_part, each_edge_is_there_both_ways)
{
    static const spmv_type types[] = {SPMV_PATTERN, SPMV_F64};
    double dense[SIDE * SIDE];
    for (unsigned k = 0; k < 20; k++) {
        both_ways b = {.A = {.format = SPMV_CSR}};
        fill(dense, k);
        cr_assert_eq(spmv_csr_from_dense(&b.A.csr, types[k % 2], SIDE, SIDE, dense, NULL),
                     SPMV_SUCCESS);
        expect(&b, dense, false);
        assert_both_ways(&b, "a graph");
        spmv_destroy(&b.A);
    }
}

/* Then nothing is added up, whatever is the same both ways; the same but for one value is no
 * symmetric matrix. */
Test(symmetrize_part, a_symmetric_matrix_stays_as_it_is)
{
    double dense[SIDE * SIDE];
    fill(dense, 5);
    for (int64_t r = 0; r < SIDE; r++)
        for (int64_t c = 0; c < r; c++) dense[r * SIDE + c] = dense[c * SIDE + r];
    dense[2] = dense[2 * SIDE] = NAN;
    for (int i = 0; i < 2; i++) {
        both_ways b = {.A = {.format = SPMV_CSR}};
        dense[(SIDE - 1) * SIDE + 3] = i == 0 ? dense[3 * SIDE + SIDE - 1] : 77;
        cr_assert_eq(spmv_csr_from_dense(&b.A.csr, SPMV_F64, SIDE, SIDE, dense, NULL),
                     SPMV_SUCCESS);
        expect(&b, dense, i == 0);
        assert_both_ways(&b, i == 0 ? "symmetric" : "nearly symmetric");
        spmv_destroy(&b.A);
    }
}

/* ---- Large ones, and none ------------------------------------------------------------------- */

static const char *count_shares(spmv_comm *comm, void *user)
{
    const spmv_matrix *A = user;
    spmv_part part = {0}, both = {0};
    spmv_status st;
    bool fair = true;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? A : NULL, SPMV_PARTITION_NNZ, NULL));
    SPMV__TRY(spmv_part_symmetrize(&both, comm, &part, NULL));
    /* A path from each node to the first: its row, and as many rows of one entry. */
    fair = both.nnz == 2 * (A->head.rows - 1) && both.rows == A->head.rows;
    if (comm->rank > 1) fair = fair && both.own.nnz < both.nnz / 2;
done:
    spmv_part_destroy(&part);
    spmv_part_destroy(&both);
    return st != SPMV_SUCCESS ? spmv_error_string(st) : fair ? NULL : "another share";
}

/* All edges lead to the first node, whose row is then half of all. */
Test(symmetrize_part, rows_that_become_long_are_shared_out_anew)
{
    const int64_t n = 1000;
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, n, n, n - 1, NULL), SPMV_SUCCESS);
    for (int64_t r = 1; r < n; r++) A.csr.row_ptr[r + 1] = r;
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], count_shares, &A);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&A);
}

static const char *refuse_wide(spmv_comm *comm, void *user)
{
    spmv_part part = {0}, both = {0};
    spmv_status st =
        spmv_part_spread(&part, comm, comm->rank == 0 ? user : NULL, SPMV_PARTITION_NNZ, NULL);
    if (st == SPMV_SUCCESS) st = spmv_part_symmetrize(&both, comm, &part, NULL);
    spmv_part_destroy(&part);
    return st == SPMV_ERROR_INVALID_DIMENSION ? NULL : "another status";
}

Test(symmetrize_part, what_is_not_square_is_refused)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 2, 3, 0, NULL), SPMV_SUCCESS);
    cr_assert_null(team_run(3, refuse_wide, &A));
    spmv_destroy(&A);
}

/* ---- Zeros ---------------------------------------------------------------------------------- */

static const char *drop_zeros(spmv_comm *comm, void *user)
{
    const spmv_matrix *A = user;
    spmv_part part = {0};
    spmv_matrix got = {0};
    const char *complaint = NULL;
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? A : NULL, SPMV_PARTITION_ROWS, NULL));
    SPMV__TRY(spmv_part_drop_zeros(&part, comm, NULL));
    SPMV__TRY(spmv_part_collect(&got, comm, &part, NULL));
    if (part.nnz != 3) complaint = "another number of entries";
    for (int64_t p = 0; comm->rank == 0 && p < got.csr.nnz; p++)
        if (got.csr.col_idx[p] != p + 1 || ((double *)got.csr.val)[p] != (double)p + 1)
            complaint = "other entries";
done:
    spmv_part_destroy(&part);
    spmv_destroy(&got);
    return st == SPMV_SUCCESS ? complaint : spmv_error_string(st);
}

Test(symmetrize_part, entries_that_are_0_go)
{
    spmv_matrix A = {.format = SPMV_CSR};
    static const int64_t ends[] = {2, 2, 5, 6};
    static const int32_t cols[] = {0, 1, 0, 2, 3, 3};
    static const double values[] = {0, 1, -0.0, 2, 0, 3};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 4, 4, 6, NULL), SPMV_SUCCESS);
    memcpy(A.csr.row_ptr + 1, ends, sizeof ends);
    memcpy(A.csr.col_idx, cols, sizeof cols);
    memcpy(A.csr.val, values, sizeof values);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], drop_zeros, &A);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&A);
}
