/* product_on_ranks_test.c -- ranks make the product that one process makes, bit for bit. */
#include "core/comm/team_test.h"
#include "core/matrix/format.h"
#include "core/spgemm/product_test.h"

#include <stdio.h>

static const int sizes[] = {1, 2, 3, 4, 7, 16};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A product, and what becomes of it. */
typedef struct joint_case {
    const spmv_matrix *A, *B, *mask; /* B may be A; mask NULL: none */
    spmv_spgemm_options options;     /* with its mask NULL */
    spmv_status st;
    spmv_error err;
    spmv_matrix C;
    spmv_spgemm_result result;
} joint_case;

/* The operands as parts, which are cut in different ways. */
typedef struct operand_parts {
    spmv_part A, B, mask;
} operand_parts;

static void destroy_parts(operand_parts *p)
{
    spmv_part_destroy(&p->A);
    spmv_part_destroy(&p->B);
    spmv_part_destroy(&p->mask);
}

static spmv_status spread_operands(operand_parts *p, spmv_comm *comm, const joint_case *c)
{
    const bool root = comm->rank == 0;
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&p->A, comm, root ? c->A : NULL, SPMV_PARTITION_NNZ, NULL));
    if (c->B != c->A)
        SPMV__TRY(spmv_part_spread(&p->B, comm, root ? c->B : NULL, SPMV_PARTITION_ROWS, NULL));
    if (c->mask != NULL)
        SPMV__TRY(
            spmv_part_spread(&p->mask, comm, root ? c->mask : NULL, SPMV_PARTITION_NNZ, NULL));
done:
    return st;
}

static spmv_status multiply_parts(spmv_part *C, spmv_comm *comm, const joint_case *c,
                                  const operand_parts *p, spmv_spgemm_result *result,
                                  spmv_spgemm_share *share, spmv_error *err)
{
    return spmv_spgemm_on_ranks(C, comm, &p->A, c->B != c->A ? &p->B : &p->A,
                                c->mask != NULL ? &p->mask : NULL, &c->options, result, share, err);
}

/* Whether the parts fit together, and rank 0 can make the expected matrix of them. */
static const char *compare_whole(spmv_comm *comm, const spmv_part *part, const joint_case *c)
{
    const int64_t rows = part->row_begin[comm->rank + 1] - part->row_begin[comm->rank];
    const char *complaint = NULL;
    spmv_matrix C = {0};
    if (part->nnz != c->C.head.nnz || part->own.rows != rows) return "other entries or rows";
    if (spmv_part_collect(&C, comm, part, NULL) != SPMV_SUCCESS) return "not collected";
    if (comm->rank == 0 && !spmv_identical(&C, &c->C)) complaint = "other bits";
    spmv_destroy(&C);
    return complaint;
}

static const char *multiply_together(spmv_comm *comm, void *user)
{
    const joint_case *c = user;
    operand_parts p = {0};
    spmv_part C = {0};
    spmv_error err = {0};
    spmv_spgemm_result result;
    const char *complaint = "the operands are not spread";
    if (spread_operands(&p, comm, c) != SPMV_SUCCESS) goto done;
    const spmv_status st = multiply_parts(&C, comm, c, &p, &result, NULL, &err);
    if (st != c->st)
        complaint = "another status";
    else if (st != SPMV_SUCCESS)
        complaint = strcmp(err.message, c->err.message) == 0 ? NULL : "another sentence";
    else if (result.products != c->result.products)
        complaint = "another number of products";
    else
        complaint = compare_whole(comm, &C, c);
done:
    spmv_part_destroy(&C);
    destroy_parts(&p);
    return complaint;
}

/* One process makes the product, and then ranks do. */
static void assert_case(joint_case *c, const char *label)
{
    spmv_spgemm_options alone = c->options;
    alone.mask = c->mask;
    c->st = spmv_spgemm(&c->C, c->A, c->B, &alone, &c->result, &c->err);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], multiply_together, c);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, sizes[i], complaint);
    }
}

/* All types, few rows and many, some of them empty; the sums are also those of the test. */
Test(product_on_ranks, random_products_have_the_bits_of_one_process)
{
    for (uint64_t seed = 0; seed < 120; seed++) {
        uint64_t state = seed;
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        const int64_t m = below(&state, seed % 4 == 0 ? 9 : 90), n = below(&state, 70);
        const int64_t l = below(&state, 300), most = 1 + below(&state, seed % 7 == 0 ? 60 : 8);
        spmv_matrix A = make(seed, a, m, n, most), B = make(seed + 1000, b, n, l, most);
        joint_case c = {.A = &A, .B = &B, .options.threads = 1 + (int)seed % 2};
        char label[96];
        snprintf(label, sizeof label, "seed %d: %s %lld x %lld times %s x %lld", (int)seed,
                 spmv_type_name(a), (long long)m, (long long)n, spmv_type_name(b), (long long)l);
        assert_case(&c, label);
        check_product(&c.C, &A, &B, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&c.C);
    }
}

/* What may be asked for, of two matrices and of one; all are square, so that each can be turned. */
Test(product_on_ranks, options_and_transposes)
{
    const spmv_matrix A = make(3, SPMV_F64, 80, 80, 9), B = make(4, SPMV_F32, 80, 80, 9);
    const spmv_matrix mask = make(5, SPMV_PATTERN, 80, 80, 30);
    for (int k = 0; k < 1 << 7; k++) {
        joint_case c = {.A = &A, .B = (k & 1) != 0 ? &B : &A, .mask = (k & 2) != 0 ? &mask : NULL};
        c.options = (spmv_spgemm_options){.transpose_a = (k & 4) != 0,
                                          .transpose_b = (k & 8) != 0,
                                          .boolean = (k & 16) != 0,
                                          .drop_zeros = (k & 32) != 0,
                                          .top = (k & 64) != 0 ? 3 : 0,
                                          .serial = k % 5 == 0};
        char label[32];
        snprintf(label, sizeof label, "options %d", k);
        assert_case(&c, label);
        spmv_destroy(&c.C);
    }
    spmv_destroy(&(spmv_matrix){.csr = A.csr, .format = SPMV_CSR});
    spmv_destroy(&(spmv_matrix){.csr = B.csr, .format = SPMV_CSR});
    spmv_destroy(&(spmv_matrix){.csr = mask.csr, .format = SPMV_CSR});
}

/* Transposes of matrices that are not square. */
Test(product_on_ranks, long_and_wide_transposes)
{
    spmv_matrix A = make(6, SPMV_C64, 5, 130, 50), B = make(7, SPMV_F64, 5, 40, 9);
    joint_case c = {.A = &A, .B = &B, .options.transpose_a = true};
    assert_case(&c, "A^T B");
    spmv_destroy(&c.C);
    c = (joint_case){.A = &A, .B = &A, .options.transpose_b = true};
    assert_case(&c, "A A^T");
    spmv_destroy(&c.C);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* ---- Who has what --------------------------------------------------------------------------- */

/* Row r of A meets the rows r - 1, r and r + 1 of itself, of which a rank has some. */
static const char *count_received(spmv_comm *comm, void *user)
{
    const joint_case *c = user;
    const int k = comm->rank;
    operand_parts p = {0};
    spmv_part C = {0};
    spmv_spgemm_share share = {0};
    const char *complaint = "no product";
    if (spread_operands(&p, comm, c) != SPMV_SUCCESS ||
        multiply_parts(&C, comm, c, &p, NULL, &share, NULL) != SPMV_SUCCESS)
        goto done;
    int64_t rows = 0, entries = 0;
    for (int64_t r = C.row_begin[k] - 1; r <= C.row_begin[k + 1]; r++) {
        const bool own = r >= p.A.row_begin[k] && r < p.A.row_begin[k + 1];
        if (C.own.rows == 0 || r < 0 || r >= C.rows || own) continue;
        rows++;
        entries += c->A->csr.row_ptr[r + 1] - c->A->csr.row_ptr[r];
    }
    complaint = share.received != rows || share.received_entries != entries ? "another traffic"
                : share.rows != C.own.rows                                  ? "other rows"
                                                                            : NULL;
done:
    spmv_part_destroy(&C);
    destroy_parts(&p);
    return complaint;
}

Test(product_on_ranks, a_rank_gets_the_rows_that_it_needs)
{
    const int64_t n = 100;
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t q = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, n, n, 3 * n - 2, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < n; r++) {
        for (int64_t c = r - 1; c <= r + 1; c++)
            if (c >= 0 && c < n) A.csr.col_idx[q++] = (int32_t)c;
        A.csr.row_ptr[r + 1] = q;
    }
    joint_case c = {.A = &A, .B = &A};
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], count_received, &c);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&A);
}

/* No rank makes more than its share, and what its last row may be beyond it. */
static const char *weigh_products(spmv_comm *comm, void *user)
{
    const joint_case *c = user;
    operand_parts p = {0};
    spmv_part C = {0};
    spmv_spgemm_result result = {0};
    spmv_spgemm_share share = {0};
    const bool made = spread_operands(&p, comm, c) == SPMV_SUCCESS &&
                      multiply_parts(&C, comm, c, &p, &result, &share, NULL) == SPMV_SUCCESS;
    spmv_part_destroy(&C);
    destroy_parts(&p);
    if (!made) return "no product";
    return share.products * comm->size < 2 * result.products ? NULL : "an uneven cut";
}

/* The first rows meet long rows of B, and the others short ones, with as many entries each. */
Test(product_on_ranks, rows_are_cut_by_products)
{
    const int64_t n = 4000, heavy = 400;
    spmv_matrix A = {.format = SPMV_CSR}, B = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, n, n, n, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_csr_create(&B.csr, SPMV_PATTERN, n, n, n + 99 * heavy, NULL), SPMV_SUCCESS);
    for (int64_t r = 0, q = 0; r < n; r++) {
        A.csr.col_idx[r] = (int32_t)r;
        A.csr.row_ptr[r + 1] = r + 1;
        for (int32_t k = 0; k < (r < heavy ? 100 : 1); k++) B.csr.col_idx[q++] = k;
        B.csr.row_ptr[r + 1] = q;
    }
    joint_case c = {.A = &A, .B = &B};
    for (int i = 1; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], weigh_products, &c);
        cr_assert_null(complaint, "%d ranks: %s", sizes[i], complaint);
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* ---- What is refused ------------------------------------------------------------------------ */

Test(product_on_ranks, shapes_are_refused_with_the_words_of_one_process)
{
    spmv_matrix A = make(8, SPMV_F64, 20, 30, 4), B = make(9, SPMV_F64, 29, 10, 4);
    spmv_matrix mask = make(10, SPMV_F64, 20, 29, 4);
    joint_case c = {.A = &A, .B = &B};
    assert_case(&c, "columns and rows");
    cr_assert_eq(c.st, SPMV_ERROR_INVALID_DIMENSION);
    c = (joint_case){.A = &A, .B = &A, .mask = &mask, .options.transpose_b = true};
    assert_case(&c, "a mask");
    cr_assert_eq(c.st, SPMV_ERROR_INVALID_DIMENSION);
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&mask);
}

static const char *give_whole_mask(spmv_comm *comm, void *user)
{
    joint_case c = *(const joint_case *)user;
    operand_parts p = {0};
    spmv_part C = {0};
    c.options.mask = c.A;
    if (spread_operands(&p, comm, &c) != SPMV_SUCCESS) return "the operands are not spread";
    const spmv_status st = multiply_parts(&C, comm, &c, &p, NULL, NULL, NULL);
    destroy_parts(&p);
    return st == SPMV_ERROR_INVALID_ARGUMENT ? NULL : "a mask that is no part";
}

/* Ranks have parts of its rows. */
static const char *give_mask_by_nonzeros(spmv_comm *comm, void *user)
{
    joint_case c = *(const joint_case *)user;
    operand_parts p = {0};
    spmv_part C = {0};
    c.mask = c.A;
    if (spread_operands(&p, comm, &c) != SPMV_SUCCESS) return "the operands are not spread";
    spmv_part_destroy(&p.mask);
    spmv_part_spread(&p.mask, comm, comm->rank == 0 ? c.A : NULL, SPMV_PARTITION_NONZEROS, NULL);
    const spmv_status st = multiply_parts(&C, comm, &c, &p, NULL, NULL, NULL);
    destroy_parts(&p);
    return st == SPMV_ERROR_INVALID_ARGUMENT ? NULL : "a mask that is cut within rows";
}

Test(product_on_ranks, other_masks_are_refused)
{
    spmv_matrix A = make(11, SPMV_F64, 20, 20, 4);
    for (int i = 0; i < SIZES; i++) {
        joint_case c = {.A = &A, .B = &A};
        cr_assert_null(team_run(sizes[i], give_whole_mask, &c), "%d ranks", sizes[i]);
        cr_assert_null(team_run(sizes[i], give_mask_by_nonzeros, &c), "%d ranks", sizes[i]);
    }
    spmv_destroy(&A);
}

/* ---- Sums of integers ----------------------------------------------------------------------- */

static const char *ask_for_rounding(spmv_comm *comm, void *user)
{
    const joint_case *c = user;
    operand_parts p = {0};
    if (spread_operands(&p, comm, c) != SPMV_SUCCESS) return "the operands are not spread";
    const bool may = spmv_spgemm_may_round_on_ranks(comm, &p.A, &p.B, &c->options);
    destroy_parts(&p);
    return may == (c->st == SPMV_SUCCESS) ? NULL : "another answer";
}

/* The largest values, or one that is no integer, may be on any rank. */
Test(product_on_ranks, integers_that_may_round)
{
    const double values[][2] = {{0x1p20, 0x1p20}, {0x1p30, 0x1p30}, {0x1p30, 0.5}, {-0x1p40, 1}};
    spmv_matrix A = make(12, SPMV_F64, 60, 60, 6), B = make(13, SPMV_F64, 60, 60, 6);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (int64_t place = 0; place < 2; place++) {
            double *a = A.csr.val, *b = B.csr.val;
            for (int64_t q = 0; q < A.csr.nnz; q++) a[q] = 1;
            for (int64_t q = 0; q < B.csr.nnz; q++) b[q] = 2;
            a[place * (A.csr.nnz - 1)] = values[v][0];
            b[(1 - place) * (B.csr.nnz - 1)] = values[v][1];
            joint_case c = {.A = &A, .B = &B};
            c.st = v == 1 ? SPMV_SUCCESS : SPMV_ERROR_UNSUPPORTED;
            for (int i = 0; i < SIZES; i++) {
                const char *complaint = team_run(sizes[i], ask_for_rounding, &c);
                cr_assert_null(complaint, "values %d, %d ranks: %s", (int)v, sizes[i], complaint);
            }
        }
    spmv_destroy(&A);
    spmv_destroy(&B);
}
