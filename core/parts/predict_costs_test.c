/* predict_costs_test.c -- what is predicted of ranks is what they then have. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "core/parts/assigned_rows_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const int sizes[] = {1, 2, 3, 4, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct expectation {
    const spmv_matrix *A;
    spmv_partition by;
    int32_t *rank_of_row;       /* with GIVEN */
    spmv_part_costs *predicted; /* of each rank */
} expectation;

static bool are_equal(const spmv_part_costs *a, const spmv_part_costs *b)
{
    return a->rows == b->rows && a->nnz == b->nnz && a->owned == b->owned &&
           a->received == b->received && a->sent == b->sent && a->neighbours == b->neighbours &&
           a->receivers == b->receivers;
}

static void show(const char *what, const spmv_part_costs *c)
{
    fprintf(stderr, "%s: %lld rows, %lld nonzeros, %lld received, %lld sent, %d from, %d to\n",
            what, (long long)c->rows, (long long)c->nnz, (long long)c->received, (long long)c->sent,
            c->neighbours, c->receivers);
}

static const char *compare(spmv_comm *comm, void *user)
{
    const expectation *e = user;
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_part_costs costs = {0};
    const spmv_type type = e->A->head.type == SPMV_PATTERN ? SPMV_F64 : e->A->head.type;
    spmv_status st;
    SPMV__TRY(spread_or_assign(&part, comm, e->A, e->by, e->rank_of_row));
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, type, 1, NULL));
    costs = spmv_part_operator_costs(op);
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    if (are_equal(&costs, &e->predicted[comm->rank])) return NULL;
    show("a rank", &costs);
    show("predicted", &e->predicted[comm->rank]);
    return "something else was predicted";
}

static const spmv_partition way_by[] = {SPMV_PARTITION_NNZ, SPMV_PARTITION_ROWS,
                                        SPMV_PARTITION_GIVEN};
enum { WAYS = sizeof way_by / sizeof *way_by };

static void assert_predicted(const spmv_matrix *A, const char *label)
{
    spmv_part_costs predicted[TEAM_MOST];
    expectation e = {.A = A, .predicted = predicted};
    for (int i = 0; i < SIZES; i++)
        for (int way = 0; way < WAYS; way++) {
            e.by = way_by[way];
            e.rank_of_row = assign_somehow(A->head.rows, sizes[i], ASSIGNED_WAYS - 1);
            cr_assert_eq(spmv_part_predict(predicted, sizes[i], &A->csr, e.by, e.rank_of_row, NULL),
                         SPMV_SUCCESS);
            const char *complaint = team_run(sizes[i], compare, &e);
            cr_assert_null(complaint, "%s, %d ranks by %d: %s", label, sizes[i], (int)e.by,
                           complaint);
            free(e.rank_of_row);
        }
}

/* Of all shapes, with empty rows, repeated columns, and more ranks than rows. */
Test(predict, random_matrices)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_PATTERN, 0);
        spmv_matrix A;
        cr_assert(test_convert(&A, &s.A, SPMV_CSR, s.label));
        assert_predicted(&A, s.label);
        spmv_destroy(&A);
        spmv_destroy(&s.A);
    }
}

/* Halos of a few elements, of a plane, and of most of what there is, which makes it all of it. */
Test(predict, generated_matrices)
{
    static const struct {
        const char *kind;
        spmv_generate_options options;
    } made[] = {{"stencil5", {.grid = 30}},
                {"stencil27", {.grid = 9}},
                {"rmat", {.scale = 10, .per_row = 2, .seed = 1}},
                {"rmat", {.scale = 9, .per_row = 40, .seed = 2}},
                {"dense", {.rows = 40, .cols = 40}},
                {"uniform", {.rows = 700, .cols = 90, .per_row = 3, .seed = 3}}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_generate(&A.csr, made[i].kind, &made[i].options, NULL), SPMV_SUCCESS);
        assert_predicted(&A, made[i].kind);
        spmv_destroy(&A);
    }
}

/* Rows of half of all, and of a fifth, that several parts multiply. */
Test(predict, rows_that_are_split)
{
    const int64_t rows = 20000, length[] = {90000, 1, 36000};
    for (int way = 0; way < 3; way++) {
        spmv_matrix A = {.format = SPMV_CSR};
        int64_t q = 0;
        cr_assert_eq(
            spmv_csr_create(&A.csr, SPMV_PATTERN, rows, 100000, 126001 + 3 * (rows - 3), NULL),
            SPMV_SUCCESS);
        for (int64_t r = 0; r < rows; r++) {
            const int64_t i = (r + way * 7000) % rows, n = i < 3 ? length[i] : 3;
            for (int64_t c = 0; c < n; c++) A.csr.col_idx[q++] = (int32_t)(c + 4 * r % 9000);
            A.csr.row_ptr[r + 1] = q;
        }
        assert_predicted(&A, "long rows");
        spmv_destroy(&A);
    }
}

/* Worked out by hand: the diagonal, and beside it one entry of a row of the other half. */
Test(predict, one_column_of_another_part)
{
    int64_t row_ptr[] = {0, 1, 3, 4, 5};
    int32_t col_idx[] = {0, 1, 3, 2, 3};
    const spmv_csr A = {.rows = 4, .cols = 4, .nnz = 5, .row_ptr = row_ptr, .col_idx = col_idx};
    spmv_part_costs c[2];
    cr_assert_eq(spmv_part_predict(c, 2, &A, SPMV_PARTITION_ROWS, NULL, NULL), SPMV_SUCCESS);
    cr_assert(are_equal(
        &c[0],
        &(spmv_part_costs){.rows = 2, .nnz = 3, .owned = 2, .received = 1, .neighbours = 1}));
    cr_assert(are_equal(
        &c[1], &(spmv_part_costs){.rows = 2, .nnz = 2, .owned = 2, .sent = 1, .receivers = 1}));
}

/* Far more parts than rows cost nothing but their own line. */
Test(predict, many_parts)
{
    int64_t row_ptr[] = {0, 2, 4}, rows = 0, nnz = 0, received = 0, sent = 0;
    int32_t col_idx[] = {0, 1, 0, 1};
    const spmv_csr A = {.rows = 2, .cols = 2, .nnz = 4, .row_ptr = row_ptr, .col_idx = col_idx};
    enum { PARTS = 5000 };
    spmv_part_costs *c = calloc(PARTS, sizeof *c);
    cr_assert_eq(spmv_part_predict(c, PARTS, &A, SPMV_PARTITION_NNZ, NULL, NULL), SPMV_SUCCESS);
    for (int k = 0; k < PARTS; k++) {
        rows += c[k].rows;
        nnz += c[k].nnz;
        received += c[k].received;
        sent += c[k].sent;
    }
    cr_assert(rows == 2 && nnz == 4 && received == 2 && sent == 2);
    free(c);
}

Test(predict, what_makes_no_sense_is_refused)
{
    spmv_part_costs c;
    const int32_t nobody[] = {0, 1};
    spmv_csr A = {0};
    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 2, 2, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_predict(&c, 1, &A, SPMV_PARTITION_GIVEN, nobody, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_part_predict(&c, 1, &A, SPMV_PARTITION_GIVEN, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_csr_destroy(&A);
    A = (spmv_csr){0};
    cr_assert_eq(spmv_part_predict(&c, 0, &A, SPMV_PARTITION_NNZ, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    A.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_part_predict(&c, 1, &A, SPMV_PARTITION_NNZ, NULL, NULL),
                 SPMV_ERROR_UNSUPPORTED);
}
