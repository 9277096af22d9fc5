/* parts_test.c -- ranks make the product that one process makes, bit for bit. */
#include "core/comm/team_test.h"
#include "core/matrix/random_matrix_test.h"
#include "core/parts/assigned_rows_test.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const int sizes[] = {1, 2, 3, 4, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* y = alpha A x + beta y0, and what it is. */
typedef struct spread_product {
    const spmv_matrix *A;
    spmv_scalar alpha, beta;
    spmv_dense x, y0, expected;
    spmv_partition by;
    const int32_t *rank_of_row; /* with GIVEN */
} spread_product;

static void make_product(spread_product *p, const spmv_matrix *A, spmv_type type)
{
    const spmv_kernel_options options = {.kernel = "cpu-csr"};
    spmv_context *ctx;
    spmv_operator *op;
    *p = (spread_product){.A = A, .alpha = {2, 0}, .beta = {-0.5, 0}};
    cr_assert_eq(spmv_dense_create(&p->x, type, A->head.cols, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&p->y0, type, A->head.rows, 1, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&p->x, 1);
    spmv_dense_fill_random(&p->y0, 2);
    cr_assert_eq(spmv_dense_reorder(&p->expected, &p->y0, false, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 2, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op, ctx, A, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply_complex(op, p->alpha, &p->x, p->beta, &p->expected, NULL, NULL),
                 SPMV_SUCCESS);
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
}

static void destroy_product(spread_product *p)
{
    spmv_dense_destroy(&p->x);
    spmv_dense_destroy(&p->y0);
    spmv_dense_destroy(&p->expected);
}

static size_t bytes_of(const spmv_dense *v)
{
    return (size_t)(v->rows * v->cols) * spmv_type_size(v->type);
}

/* Multiply the part twice, the second time for good. */
static spmv_status multiply_part(spmv_comm *comm, const spread_product *p, spmv_part *part,
                                 spmv_dense *y, spmv_error *err)
{
    spmv_part_operator *op = NULL;
    spmv_dense x = {0}, mine = {0}, again = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_scatter(&x, comm, part->col_begin, part->col_number, &p->x, err));
    SPMV__TRY(spmv_part_scatter(&mine, comm, part->row_begin, part->row_number, &p->y0, err));
    SPMV__TRY(spmv_dense_reorder(&again, &mine, false, err));
    SPMV__TRY(spmv_part_operator_create(&op, comm, part, p->x.type, 2, err));
    memset(spmv_part_operator_x(op), 0, bytes_of(&x));
    spmv_part_operator_apply(op, p->alpha, p->beta, again.data);
    memcpy(spmv_part_operator_x(op), x.data, bytes_of(&x));
    spmv_part_operator_apply(op, p->alpha, p->beta, mine.data);
    SPMV__TRY(spmv_part_gather(y, comm, part->row_begin, part->row_number, &mine, err));
done:
    spmv_part_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&mine);
    spmv_dense_destroy(&again);
    return st;
}

static const char *multiply(spmv_comm *comm, void *user)
{
    const spread_product *p = user;
    spmv_part part = {0};
    spmv_dense y = {0};
    spmv_status st;
    const char *complaint = NULL;
    SPMV__TRY(spread_or_assign(&part, comm, p->A, p->by, p->rank_of_row));
    SPMV__TRY(multiply_part(comm, p, &part, &y, NULL));
    if (comm->rank == 0 && memcmp(y.data, p->expected.data, bytes_of(&y)) != 0)
        complaint = "other bits than those of one process";
done:
    spmv_part_destroy(&part);
    spmv_dense_destroy(&y);
    return st == SPMV_SUCCESS ? complaint : spmv_error_string(st);
}

static void assert_product(spread_product *p, const char *label)
{
    for (int i = 0; i < SIZES; i++)
        for (p->by = SPMV_PARTITION_NNZ; p->by <= SPMV_PARTITION_ROWS; p->by++) {
            const char *complaint = team_run(sizes[i], multiply, p);
            cr_assert_null(complaint, "%s, %d ranks by %d: %s", label, sizes[i], (int)p->by,
                           complaint);
        }
    p->by = SPMV_PARTITION_GIVEN;
    for (int i = 0; i < SIZES; i++)
        for (int way = 0; way < ASSIGNED_WAYS; way++) {
            int32_t *rank_of_row = assign_somehow(p->A->head.rows, sizes[i], way);
            p->rank_of_row = rank_of_row;
            const char *complaint = team_run(sizes[i], multiply, p);
            cr_assert_null(complaint, "%s, %d ranks, assigned in way %d: %s", label, sizes[i], way,
                           complaint);
            free(rank_of_row);
        }
}

/* All types, each with other cases, and rows of all kinds: also empty ones, and some that are cut
 * for summing. */
Test(parts, products_have_the_bits_of_one_process)
{
    for (int t = 0; t < TEST_TYPES; t++)
        for (int k = t; k < TEST_CASES; k += 7) {
            test_sample s = test_sample_make(k, test_types_of[t].type, 0);
            spread_product p;
            make_product(&p, &s.A, test_types_of[t].x_type);
            assert_product(&p, s.label);
            destroy_product(&p);
            spmv_destroy(&s.A);
        }
}

/* ---- Rows that are longer than a share ------------------------------------------------------- */

/* Rows of 3 entries, but some of `length`. */
static spmv_matrix make_long_rows(spmv_type type, int64_t rows, const int64_t *row, int n,
                                  int64_t length)
{
    spmv_matrix A = {.format = SPMV_CSR};
    const int64_t nnz = 3 * (rows - n) + n * length;
    int64_t q = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, length + 3, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0, i = 0; r < rows; r++) {
        const bool is_long = i < n && row[i] == r;
        for (int64_t c = 0; c < (is_long ? length : 3); c++, q++) {
            A.csr.col_idx[q] = (int32_t)(c + (is_long ? 1 : r % length));
            if (type != SPMV_PATTERN) spmv__set_value(type, A.csr.val, q, 1.0 / (double)(q + 1));
        }
        A.csr.row_ptr[r + 1] = q;
        i += is_long;
    }
    test_assert_valid(&A, "long rows");
    return A;
}

typedef struct long_rows {
    const char *label;
    int64_t rows, row[3];
    int n;
    int64_t length;
} long_rows;

static const long_rows longs[] = {
    {"a row that is all but everything", 5, {2}, 1, 100000},
    {"a first row of half of all", 20000, {0}, 1, 60000},
    {"a row of half of all in the middle", 20000, {9000}, 1, 60000},
    {"a last row of a third", 30000, {29999}, 1, 45000},
    {"rows of a quarter each", 10000, {10, 11, 9990}, 3, 31000},
    {"rows of three tenths each, the second with its owner behind the end of the first",
     16002,
     {0, 1},
     2,
     60000},
    {"a row that is shorter than a piece", 4, {1}, 1, 5000},
};
enum { LONGS = sizeof longs / sizeof *longs };

Test(parts, rows_that_are_split_have_the_bits_of_one_process)
{
    for (int i = 0; i < LONGS; i++)
        for (int t = 0; t < TEST_TYPES; t++) {
            const long_rows *l = &longs[i];
            spmv_matrix A = make_long_rows(test_types_of[t].type, l->rows, l->row, l->n, l->length);
            spread_product p;
            make_product(&p, &A, test_types_of[t].x_type);
            p.by = SPMV_PARTITION_NNZ;
            for (int k = 0; k < SIZES; k++) {
                const char *complaint = team_run(sizes[k], multiply, &p);
                cr_assert_null(complaint, "%s, %d ranks: %s", l->label, sizes[k], complaint);
            }
            if (t == 0) assert_product(&p, l->label);
            destroy_product(&p);
            spmv_destroy(&A);
        }
}

/* The most that a rank reads is its share, and what it costs that cuts are those of pieces. */
static const char *weigh_part(spmv_comm *comm, void *user)
{
    const spmv_matrix *A = user;
    const double piece = 12 * 8192, all = 12 * (double)A->head.nnz + 24 * (double)A->head.rows;
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_part_costs costs = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? A : NULL, SPMV_PARTITION_NNZ, NULL));
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, SPMV_F64, 1, NULL));
    costs = spmv_part_operator_costs(op);
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    const double mine = 12 * (double)costs.nnz + 24 * (double)costs.rows;
    return mine <= all / comm->size + 2 * piece ? NULL : "more than a share";
}

Test(parts, no_rank_has_a_long_row_alone)
{
    for (int i = 0; i < LONGS; i++) {
        const long_rows *l = &longs[i];
        spmv_matrix A = make_long_rows(SPMV_F64, l->rows, l->row, l->n, l->length);
        for (int k = 0; k < SIZES; k++) {
            const char *complaint = team_run(sizes[k], weigh_part, &A);
            cr_assert_null(complaint, "%s, %d ranks: %s", l->label, sizes[k], complaint);
        }
        spmv_destroy(&A);
    }
}

/* Products so small that they become -0: a sum that begins with nothing must not make them 0. */
Test(parts, the_sign_of_zero_stays)
{
    const int64_t n = 8000, entries = 4; /* which are multiplied together */
    spmv_matrix A = {.format = SPMV_CSR};
    spread_product p;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, n, n + entries, entries * n, NULL),
                 SPMV_SUCCESS);
    for (int64_t q = 0; q < entries * n; q++) {
        A.csr.row_ptr[q / entries + 1] = q + 1;
        A.csr.col_idx[q] = (int32_t)(q / entries + q % entries);
        ((double *)A.csr.val)[q] = -0x1p-1074;
    }
    make_product(&p, &A, SPMV_F64);
    for (int64_t c = 0; c < n + entries; c++) ((double *)p.x.data)[c] = 0.25;
    p.beta = (spmv_scalar){0, 0};
    const spmv_kernel_options options = {.kernel = "cpu-csr"};
    cr_assert_eq(spmv_multiply(&A, 2, &p.x, 0, &p.expected, &options, NULL, NULL, NULL),
                 SPMV_SUCCESS);
    assert_product(&p, "tiny products");
    destroy_product(&p);
    spmv_destroy(&A);
}

/* ---- Equal numbers of nonzeros --------------------------------------------------------------- */

/* Whole numbers, whose sums are exact in any order. */
static void fill_whole(spmv_dense *v, int64_t factor)
{
    for (int64_t i = 0; i < v->rows; i++) ((double *)v->data)[i] = (double)(factor * i % 101 - 50);
}

/* With rows that are cut, some of them many times, and ranks without entries. */
Test(parts, cuts_within_rows_lose_no_entry)
{
    const spmv_kernel_options options = {.kernel = "cpu-csr"};
    for (int k = 0; k < TEST_CASES / 2; k++) {
        test_sample s = test_sample_make(k, SPMV_PATTERN, 0);
        spread_product p;
        make_product(&p, &s.A, SPMV_F64);
        fill_whole(&p.x, 7);
        fill_whole(&p.y0, 5);
        memcpy(p.expected.data, p.y0.data, bytes_of(&p.y0));
        cr_assert_eq(spmv_multiply(&s.A, 2, &p.x, -0.5, &p.expected, &options, NULL, NULL, NULL),
                     SPMV_SUCCESS);
        p.by = SPMV_PARTITION_NONZEROS;
        for (int i = 0; i < SIZES; i++) {
            const char *complaint = team_run(sizes[i], multiply, &p);
            cr_assert_null(complaint, "%s, %d ranks: %s", s.label, sizes[i], complaint);
        }
        destroy_product(&p);
        spmv_destroy(&s.A);
    }
}

static const char *count_nonzeros(spmv_comm *comm, void *user)
{
    const spmv_matrix *A = user;
    spmv_part part = {0};
    const spmv_status st =
        spmv_part_spread(&part, comm, comm->rank == 0 ? A : NULL, SPMV_PARTITION_NONZEROS, NULL);
    const int64_t nnz = part.own.nnz, least = A->head.nnz / comm->size;
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    return nnz == least || nnz == least + 1 ? NULL : "another number of nonzeros";
}

Test(parts, all_have_as_many_nonzeros)
{
    test_sample s = test_sample_make(5, SPMV_F64, 0);
    for (int i = 0; i < SIZES; i++) cr_assert_null(team_run(sizes[i], count_nonzeros, &s.A));
    spmv_destroy(&s.A);
}

/* ---- What is exchanged ---------------------------------------------------------------------- */

/* Two diagonals beside the main one: each part needs one element of each neighbour. */
static spmv_matrix make_tridiagonal(int64_t n)
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t q = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, n, n, 3 * n - 2, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < n; r++) {
        for (int64_t c = r - 1; c <= r + 1; c++)
            if (c >= 0 && c < n) A.csr.col_idx[q++] = (int32_t)c;
        A.csr.row_ptr[r + 1] = q;
    }
    return A;
}

static const char *count_traffic(spmv_comm *comm, void *user)
{
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_part_costs costs = {0};
    const bool ends = comm->rank == 0 || comm->rank == comm->size - 1;
    const int neighbours = comm->size == 1 ? 0 : ends ? 1 : 2;
    spmv_status st;
    SPMV__TRY(
        spmv_part_spread(&part, comm, comm->rank == 0 ? user : NULL, SPMV_PARTITION_ROWS, NULL));
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, SPMV_F64, 1, NULL));
    costs = spmv_part_operator_costs(op);
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    if (costs.received != neighbours || costs.sent != neighbours) return "another traffic";
    return costs.neighbours == neighbours ? NULL : "other neighbours";
}

Test(parts, neighbours_exchange_what_they_need)
{
    spmv_matrix A = make_tridiagonal(100);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], count_traffic, &A);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&A);
}

/* ---- Rows that are assigned ------------------------------------------------------------------ */

/* A path 0 - 2 - 4 - 1 - 3 of which neighbours meet; rank 0 gets 0, 2 and 4, where only 4 has a
 * neighbour elsewhere. */
static const char *assign_path(spmv_comm *comm, void *user)
{
    static const int32_t rank_of_row[] = {0, 1, 0, 1, 0};
    static const int64_t number[] = {0, 3, 1, 4, 2};
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_part_costs costs = {0};
    bool right = false;
    spmv_status st;
    SPMV__TRY(spread_or_assign(&part, comm, user, SPMV_PARTITION_GIVEN, rank_of_row));
    right = part.row_begin[1] == 3 && part.col_begin[1] == 3 && part.nnz == 8;
    if (comm->rank == 0)
        right = right && memcmp(part.row_number, number, sizeof number) == 0 &&
                part.col_number == part.row_number;
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, SPMV_F64, 1, NULL));
    costs = spmv_part_operator_costs(op);
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    if (!right) return "other numbers";
    if (costs.rows != (comm->rank == 0 ? 3 : 2)) return "other rows";
    return costs.received == 1 && costs.sent == 1 ? NULL : "another traffic";
}

Test(parts, rows_take_their_elements_of_x_along)
{
    int64_t row_ptr[] = {0, 1, 3, 5, 6, 8};
    int32_t col_idx[] = {2, 3, 4, 0, 4, 1, 1, 2};
    spmv_matrix A = {.format = SPMV_CSR};
    A.csr.type = SPMV_PATTERN;
    A.csr.rows = A.csr.cols = 5;
    A.csr.nnz = 8;
    A.csr.row_ptr = row_ptr;
    A.csr.col_idx = col_idx;
    const char *complaint = team_run(2, assign_path, &A);
    cr_assert_null(complaint, "%s", complaint);
}

/* ---- What is refused ------------------------------------------------------------------------ */

static const char *assign_wrongly(spmv_comm *comm, void *user)
{
    static const int32_t none[] = {0, 1, 2}, negative[] = {0, -1, 0}, right[] = {1, 1, 0};
    spmv_part part = {0};
    spmv_error err;
    spmv_matrix whole;
    const spmv_matrix *A = comm->rank == 0 ? user : NULL;
    if (spmv_part_spread(&part, comm, A, SPMV_PARTITION_NNZ, NULL) != SPMV_SUCCESS) return "?";
    if (spmv_part_assign(&part, comm, none, &err) != SPMV_ERROR_INVALID_ARGUMENT ||
        strstr(err.message, "row 3 goes to rank 2, which is outside 0..1") == NULL)
        return "a rank that is not there gets a row";
    if (spmv_part_assign(&part, comm, negative, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "a negative rank gets a row";
    if (spmv_part_assign(&part, comm, NULL, &err) != SPMV_ERROR_INVALID_ARGUMENT ||
        strcmp(err.message, "rank 0 does not say who gets which of 3 rows") != 0)
        return "nobody has said who gets what";
    if (spmv_part_assign(&part, comm, right, NULL) != SPMV_SUCCESS)
        return "rows stay where they are";
    if (spmv_part_assign(&part, comm, right, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "rows are assigned twice";
    if (spmv_part_collect(&whole, comm, &part, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "rows in another order are brought together";
    spmv_part_destroy(&part);
    if (spmv_part_spread(&part, comm, A, SPMV_PARTITION_GIVEN, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "a matrix is spread as nobody has said";
    return NULL;
}

Test(parts, assignments_that_make_no_sense_are_refused_on_all_ranks)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, 3, 0, NULL), SPMV_SUCCESS);
    const char *complaint = team_run(2, assign_wrongly, &A);
    cr_assert_null(complaint, "%s", complaint);
    spmv_destroy(&A);
}

static const char *spread_triangle(spmv_comm *comm, void *user)
{
    spmv_part part;
    spmv_error err;
    const spmv_status st =
        spmv_part_spread(&part, comm, comm->rank == 0 ? user : NULL, SPMV_PARTITION_NNZ, &err);
    if (st != SPMV_ERROR_UNSUPPORTED) return "a triangle is spread";
    return strstr(err.message, "expand") != NULL ? NULL : "no rank says what helps";
}

Test(parts, a_triangle_is_refused_on_all_ranks)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, 3, 0, NULL), SPMV_SUCCESS);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_null(team_run(3, spread_triangle, &A));
    spmv_destroy(&A);
}

static const char *multiply_other_type(spmv_comm *comm, void *user)
{
    spmv_part part;
    spmv_part_operator *op;
    spmv_status st =
        spmv_part_spread(&part, comm, comm->rank == 0 ? user : NULL, SPMV_PARTITION_NNZ, NULL);
    if (st != SPMV_SUCCESS) return spmv_error_string(st);
    st = spmv_part_operator_create(&op, comm, &part, SPMV_F32, 1, NULL);
    spmv_part_destroy(&part);
    return st == SPMV_ERROR_INVALID_ARGUMENT ? NULL : "doubles multiply floats";
}

Test(parts, types_that_do_not_multiply_are_refused)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, 3, 0, NULL), SPMV_SUCCESS);
    cr_assert_null(team_run(2, multiply_other_type, &A));
    spmv_destroy(&A);
}

/* Rows that are cut lie on two ranks. */
static const char *collect_cut_rows(spmv_comm *comm, void *user)
{
    spmv_part part;
    spmv_matrix whole;
    const spmv_matrix *A = comm->rank == 0 ? user : NULL;
    if (spmv_part_spread(&part, comm, A, (spmv_partition)9, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "an unknown partition is taken";
    if (spmv_part_spread(&part, comm, A, SPMV_PARTITION_NONZEROS, NULL) != SPMV_SUCCESS)
        return "no part";
    const spmv_status st = spmv_part_collect(&whole, comm, &part, NULL);
    spmv_part_destroy(&part);
    return st == SPMV_ERROR_INVALID_ARGUMENT ? NULL : "cut rows are collected";
}

Test(parts, cut_rows_are_not_collected)
{
    test_sample s = test_sample_make(5, SPMV_F64, TEST_SMALL_CELLS);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], collect_cut_rows, &s.A);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&s.A);
}

/* Vectors of 3 elements, for begin[ranks] of them. */
static const char *share_vectors(spmv_comm *comm, void *user)
{
    static const int64_t right[] = {0, 1, 3}, wrong[] = {0, 1, 4};
    double data[6] = {1, 2, 3, 4, 5, 6};
    const spmv_dense by_columns = {.type = SPMV_F64, .rows = 3, .cols = 2, .ld = 3, .data = data};
    spmv_dense by_rows = by_columns, nothing = by_columns, mine, whole;
    (void)user;
    by_rows.by_rows = true;
    by_rows.ld = 2;
    nothing.data = NULL;
    if (spmv_part_scatter(&mine, comm, wrong, NULL, &by_columns, NULL) !=
        SPMV_ERROR_INVALID_DIMENSION)
        return "too few elements are handed out";
    if (spmv_part_scatter(&mine, comm, right, NULL, &by_rows, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "rows are handed out";
    if (spmv_part_scatter(&mine, comm, right, NULL, &nothing, NULL) != SPMV_ERROR_INVALID_ARGUMENT)
        return "nothing is handed out";
    if (spmv_part_scatter(&mine, comm, right, NULL, &by_columns, NULL) != SPMV_SUCCESS)
        return "elements are not handed out";
    if (spmv_part_gather(&whole, comm, wrong, NULL, &mine, NULL) != SPMV_ERROR_INVALID_DIMENSION)
        return "too few elements are brought together";
    if (spmv_part_gather(&whole, comm, right, NULL, &mine, NULL) != SPMV_SUCCESS)
        return "elements are not brought together";
    const bool same = comm->rank > 0 || memcmp(whole.data, data, sizeof data) == 0;
    spmv_dense_destroy(&mine);
    if (comm->rank == 0) spmv_dense_destroy(&whole);
    return same ? NULL : "other elements";
}

Test(parts, vectors_of_another_shape_are_refused_on_all_ranks)
{
    const char *complaint = team_run(2, share_vectors, NULL);
    cr_assert_null(complaint, "%s", complaint);
}
