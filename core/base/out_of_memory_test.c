/* out_of_memory_test.c -- when allocation number k fails, for every k, a function reports it, gives
 * back what it had and leaves nothing in its output.
 *
 * The linker sends every allocation of the library here (--wrap).  To have a function tested, add
 * it to the table below. */
#include "core/base/base.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

static atomic_long live;               /* allocations not yet released */
static atomic_long until_failure = -1; /* so many more succeed; negative: all do */
static atomic_bool failed;
static atomic_bool optional; /* what failed was to resize: the caller may keep what it has */

static bool refuse(const void *resized)
{
    if (until_failure < 0 || until_failure-- > 0) return false;
    failed = true;
    optional = resized != NULL;
    return true;
}

static void *count(void *p)
{
    live += p != NULL;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return refuse(NULL) ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return refuse(NULL) ? NULL : count(__real_calloc(n, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse(NULL) ? NULL : count(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *p, size_t size)
{
    if (refuse(p)) return NULL;
    return p == NULL ? count(__real_realloc(p, size)) : __real_realloc(p, size);
}

void __wrap_free(void *p)
{
    live -= p != NULL;
    __real_free(p);
}

/* ---- The functions -------------------------------------------------------------------------- */

/* A is a lower triangle; what the function makes goes to *out if it is a matrix, and is released
 * otherwise. */
typedef spmv_status operation(spmv_matrix *out, const spmv_matrix *A, spmv_error *err);

static const double dense[] = {1, 0, 0, 2, 3, 0, 0, 0, 0};

#define X(id, name, meaning)                                                                      \
    static spmv_status convert_to_##name(spmv_matrix *out, const spmv_matrix *A, spmv_error *err) \
    {                                                                                             \
        return spmv_convert(out, A, id, NULL, err);                                               \
    }                                                                                             \
    static spmv_status name##_from_dense(spmv_matrix *out, const spmv_matrix *A, spmv_error *err) \
    {                                                                                             \
        (void)A;                                                                                  \
        spmv_##name B;                                                                            \
        spmv_status st = spmv_##name##_from_dense(&B, SPMV_F64, 3, 3, dense, err);                \
        if (st == SPMV_SUCCESS) out->format = id;                                                 \
        out->name = B;                                                                            \
        return st;                                                                                \
    }
SPMV_FORMAT_TABLE(X)
#undef X

static spmv_status to_pattern(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return spmv_convert_values(out, A, SPMV_PATTERN, err);
}

static spmv_status imaginary_part(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix B;
    spmv_status st = spmv_convert_values(&B, A, SPMV_C128, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_take_complex_part(out, &B, SPMV_COMPLEX_IMAG, err);
    spmv_destroy(&B);
    return st;
}

static spmv_status expand(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix half = *A;
    half.head.symmetry = SPMV_SYMMETRIC;
    return spmv_expand(out, &half, NULL, err);
}

static spmv_status transpose(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return spmv_transpose(out, A, NULL, err);
}

/* Multiply the triangle with its transpose, with a mask of another format. */
static spmv_status square(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix mask;
    spmv_status st = spmv_convert(&mask, A, SPMV_CSC, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const spmv_spgemm_options o = {.transpose_b = true, .mask = &mask, .top = 3, .threads = 1};
    st = spmv_spgemm(out, A, A, &o, NULL, err);
    spmv_destroy(&mask);
    return st;
}

/* Plan the product of the triangle with its transpose and a mask, and multiply twice. */
static spmv_status plan_square(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_spgemm_plan *plan = NULL;
    spmv_matrix csr, made = {.format = SPMV_CSR};
    spmv_status st = spmv_convert(&csr, A, SPMV_CSR, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const spmv_spgemm_options o = {.transpose_b = true, .mask = &csr, .threads = 1};
    SPMV__TRY(spmv_spgemm_plan_create(&plan, NULL, &csr, &csr, &o, err));
    SPMV__TRY(spmv_spgemm_plan_product(plan, &made, err));
    SPMV__TRY(spmv_spgemm_plan_multiply(plan, &csr, NULL, &made, NULL, err));
    *out = made;
    made = (spmv_matrix){.format = SPMV_CSR};
done:
    spmv_destroy(&made);
    spmv_destroy(&csr);
    spmv_spgemm_plan_destroy(plan);
    return st;
}

/* What takes nothing of a piece. */
static spmv_status begin_rows(void *user, const spmv_csr *C, spmv_error *err)
{
    (void)user, (void)C, (void)err;
    return SPMV_SUCCESS;
}

static spmv_status take_rows(void *user, const spmv_row_piece *piece,
                             const spmv_piece_memory *memory, spmv_error *err)
{
    (void)user, (void)piece, (void)memory, (void)err;
    return SPMV_SUCCESS;
}

/* Square the matrix in pieces of rows, and copy it, as there must be a result. */
static spmv_status square_by_rows(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    const spmv_spgemm_options o = {.transpose_b = true, .threads = 1};
    const spmv_row_consumer to = {begin_rows, NULL, take_rows, NULL};
    const spmv_status st = spmv_spgemm_rows(A, A, &o, &to, NULL, err);
    return st == SPMV_SUCCESS ? spmv_convert(out, A, SPMV_CSR, NULL, err) : st;
}

static spmv_status drop_zeros(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return spmv_drop_zeros(out, A, NULL, err);
}

static spmv_status drop_diagonal(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return spmv_drop_diagonal(out, A, NULL, err);
}

static spmv_status statistics(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    spmv_row_stats stats;
    return spmv_row_stats_compute(A, &stats, err);
}

static spmv_status structure(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    spmv_structure s;
    return spmv_structure_compute(A, &s, err);
}

static spmv_status check(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    return spmv_check(A, err);
}

/* Puts the entries of A in seven rows, so that there are duplicates. */
static spmv_status sort_seven_rows(spmv_matrix *out, const spmv_matrix *A,
                                   spmv_duplicates duplicates, spmv_error *err)
{
    spmv_status st = spmv_convert(out, A, SPMV_COO, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < out->coo.nnz; p++) out->coo.row_idx[p] = A->head.rows - 1 - p % 7;
    st = spmv_coo_sort(&out->coo, duplicates, NULL, err);
    if (st != SPMV_SUCCESS) spmv_destroy(out);
    return st;
}

static spmv_status sort(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    return sort_seven_rows(out, A, SPMV_DUPLICATES_SUM, err);
}

/* Takes a pattern, which gets values. */
static spmv_status sort_and_count(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_matrix B;
    spmv_status st = to_pattern(&B, A, err);
    if (st != SPMV_SUCCESS) return st;
    st = sort_seven_rows(out, &B, SPMV_DUPLICATES_COUNT, err);
    cr_assert(st != SPMV_SUCCESS || out->coo.type == SPMV_F64);
    spmv_destroy(&B);
    return st;
}

/* Ranks with weights and without; some of A's values are 0. */
static spmv_status pagerank(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    spmv_pagerank_result weighted = {.ranks = NULL}, unweighted = {.ranks = NULL};
    double anew[3 * 64];
    for (int i = 0; i < 3 * 64; i++) anew[i] = 1;
    const spmv_dense columns = {.type = SPMV_F64, .rows = A->head.rows, .cols = 3, .data = anew};
    const spmv_pagerank_options config = {.unweighted = true,
                                          .extrapolate = true,
                                          .precision = SPMV_F32,
                                          .tolerance = 1e-300,
                                          .personalization = &columns,
                                          .start = &columns};
    spmv_matrix both = {.format = SPMV_CSR};
    bool mask[64];
    spmv_status st;

    SPMV__TRY(spmv_pagerank(&weighted, A, NULL, err));
    SPMV__TRY(spmv_pagerank(&unweighted, A, &config, err));
    SPMV__TRY(spmv_dangling_mask(A, mask, err));
    SPMV__TRY(spmv_symmetrize(&both, A, NULL, err));
done:
    spmv_destroy(&both);
    spmv_pagerank_destroy(&weighted);
    spmv_pagerank_destroy(&unweighted);
    return st;
}

static spmv_status multiply_and_verify(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    spmv_status st;
    spmv_dense x = {.data = NULL}, y = {.data = NULL};
    spmv_verification v;

    const int64_t vectors = A->format == SPMV_CSR ? 3 : 1;
    SPMV__TRY(spmv_dense_create(&x, SPMV_F64, A->head.cols, vectors, err));
    SPMV__TRY(spmv_dense_create(&y, SPMV_F64, A->head.rows, vectors, err));
    x.by_rows = y.by_rows = true;
    SPMV__TRY(spmv_multiply(A, 1, &x, 0, &y, NULL, NULL, NULL, err));
    SPMV__TRY(spmv_verify(A, 1, &x, 0, NULL, &y, &v, err));
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

static spmv_status reorder(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)out;
    double numbers[2 * 64];
    const spmv_dense x = {.type = SPMV_F64, .rows = A->head.rows, .cols = 2, .data = numbers};
    spmv_dense y;
    for (int i = 0; i < 2 * 64; i++) numbers[i] = i;
    const spmv_status st = spmv_dense_reorder(&y, &x, true, err);
    cr_assert_eq(y.data != NULL, st == SPMV_SUCCESS);
    spmv_dense_destroy(&y);
    return st;
}

/* A pattern of one row, in arrays of which none can be borrowed; and its product. */
static spmv_status take_view(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    static const int32_t row_ptr[] = {1, 3};
    static const int64_t col_idx[] = {1, 2};
    static double numbers[2 * 4] = {1, 2, 3, 4};
    const spmv_csr_view view = {.rows = 1,
                                .cols = 2,
                                .nnz = 2,
                                .row_ptr_bits = 32,
                                .col_idx_bits = 64,
                                .index_base = 1,
                                .row_ptr = row_ptr,
                                .col_idx = col_idx};
    const spmv_dense x = {.type = SPMV_F64, .rows = 2, .cols = 2, .data = numbers, .by_rows = true};
    spmv_dense y = {.type = SPMV_F64, .rows = 1, .cols = 2, .data = numbers + 4, .by_rows = true};
    (void)A;
    const spmv_status st = spmv_csr_view_multiply(&view, 1, &x, 0, &y, 1, err);
    if (st != SPMV_SUCCESS) return st;
    out->format = SPMV_CSR;
    const spmv_status made = spmv_csr_from_view(&out->csr, &view, err);
    if (made != SPMV_SUCCESS) memset(out, 0, sizeof *out);
    return made;
}

static spmv_status generate_like(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st = spmv_generate_like(&out->csr, A, NULL, err);
    if (st == SPMV_SUCCESS) out->format = SPMV_CSR;
    return st;
}

static const struct {
    const char *name;
    operation *run;
} operations[] = {{"convert values", to_pattern},
                  {"convert part", imaginary_part},
                  {"transpose", transpose},
                  {"expand", expand},
                  {"drop zeros", drop_zeros},
                  {"square", square},
                  {"plan square", plan_square},
                  {"square by rows", square_by_rows},
                  {"drop diagonal", drop_diagonal},
                  {"row statistics", statistics},
                  {"structure", structure},
                  {"check", check},
                  {"sort", sort},
                  {"sort and count", sort_and_count},
                  {"pagerank", pagerank},
                  {"multiply and verify", multiply_and_verify},
                  {"reorder", reorder},
                  {"take a view", take_view},
                  {"generate like", generate_like},
#define X(id, name, meaning) \
    {"convert to " #name, convert_to_##name}, {#name " from dense", name##_from_dense},
                  SPMV_FORMAT_TABLE(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* ---- The test ------------------------------------------------------------------------------- */

/* Runs with allocation number k failing.  Returns whether there was one. */
static bool fail_at(long k, operation *run, const char *name, const spmv_matrix *A)
{
    static const spmv_matrix empty;
    const char *format = A != NULL ? spmv_format_name(A->format) : "nothing";
    const long before = live;
    spmv_matrix out;
    spmv_error err = {.message = ""};

    memset(&out, 0, sizeof out);
    failed = optional = false;
    until_failure = k;
    spmv_status st = run(&out, A, &err);
    until_failure = -1;
    if (!failed || (optional && st == SPMV_SUCCESS)) {
        cr_assert_eq(st, SPMV_SUCCESS, "%s of %s: %s", name, format, err.message);
        spmv_destroy(&out);
    } else {
        cr_assert_eq(st, SPMV_ERROR_OUT_OF_MEMORY, "%s of %s, allocation %ld: status %d", name,
                     format, k, (int)st);
        cr_assert_str_not_empty(err.message, "%s of %s, allocation %ld", name, format, k);
        cr_assert_arr_eq(&out, &empty, sizeof out, "%s of %s, allocation %ld: output", name, format,
                         k);
    }
    cr_assert_eq(live, before, "%s of %s, allocation %ld: %ld not released", name, format, k,
                 live - before);
    return failed;
}

/* Returns how many allocations failed, one by one. */
static long fail_each(operation *run, const char *name, const spmv_matrix *A)
{
    long k = 0;
    while (fail_at(k, run, name, A)) k++;
    return k;
}

/* Makes a lower triangle with rows of different lengths. */
static spmv_matrix triangle(void)
{
    enum { N = 30 };
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t p = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, N, N, 3 * N, NULL), SPMV_SUCCESS);
    for (int32_t r = 0; r < N; r++) {
        for (int32_t c = 0; c <= r; c += 1 + r / 2) {
            A.csr.col_idx[p] = c;
            ((double *)A.csr.val)[p++] = r - c;
        }
        A.csr.row_ptr[r + 1] = p;
    }
    A.csr.nnz = p;
    test_assert_valid(&A, "triangle");
    return A;
}

Test(out_of_memory, every_allocation_may_fail)
{
    spmv_matrix A = triangle();
    long failures[OPERATIONS] = {0};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix B;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "triangle"));
        for (int i = 0; i < OPERATIONS; i++)
            failures[i] += fail_each(operations[i].run, operations[i].name, &B);
        spmv_destroy(&B);
    }
    for (int i = 0; i < OPERATIONS; i++)
        cr_assert_gt(failures[i], 0, "%s allocates nothing that could fail", operations[i].name);
    spmv_destroy(&A);
}

static const char *kind; /* of the next matrix to generate */

static spmv_status generate(spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    (void)A;
    spmv_generate_options options = {.type = SPMV_F64};
    spmv_status st = spmv_generate(&out->csr, kind, &options, err);
    if (st == SPMV_SUCCESS) out->format = SPMV_CSR;
    return st;
}

Test(out_of_memory, every_generator)
{
    for (int g = 0; g < spmv_generator_count(); g++) {
        kind = spmv_generator_at(g)->name;
        cr_assert_gt(fail_each(generate, kind, NULL), 0, "%s", kind);
    }
}
