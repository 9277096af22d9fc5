/* missing_arrays_test.c -- every function that is given a matrix without one of its arrays says so.
 */
#include "core/matrix/format.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* [1 0 2 0; 0 3 4 0; 0 0 0 5; 6 0 0 7] */
static const double values[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0, 7};

enum { N = 4 };
static double xs[N] = {1, 2, 3, 4}, ys[N];
static const spmv_dense x = {.type = SPMV_F64, .rows = N, .cols = 1, .data = xs};
static spmv_dense y = {.type = SPMV_F64, .rows = N, .cols = 1, .data = ys};

#define MAKES(name, call)                                          \
    static spmv_status name(const spmv_matrix *A, spmv_error *err) \
    {                                                              \
        spmv_matrix out;                                           \
        return call;                                               \
    }
MAKES(convert, spmv_convert(&out, A, SPMV_COO, NULL, err))
MAKES(convert_values, spmv_convert_values(&out, A, SPMV_F32, err))
MAKES(transpose, spmv_transpose(&out, A, NULL, err))
MAKES(symmetrize, spmv_symmetrize(&out, A, NULL, err))
MAKES(drop_zeros, spmv_drop_zeros(&out, A, NULL, err))
MAKES(square, spmv_spgemm(&out, A, A, NULL, NULL, err))

static spmv_status multiply(const spmv_matrix *A, spmv_error *err)
{
    return spmv_multiply(A, 1, &x, 0, &y, NULL, NULL, NULL, err);
}

static spmv_status verify(const spmv_matrix *A, spmv_error *err)
{
    spmv_verification out;
    return spmv_verify(A, 1, &x, 0, NULL, &y, &out, err);
}

static spmv_status look(const spmv_matrix *A, spmv_error *err)
{
    spmv_structure out;
    return spmv_structure_compute(A, &out, err);
}

static spmv_status get(const spmv_matrix *A, spmv_error *err)
{
    spmv_scalar out;
    return spmv_get_element(A, 1, 1, &out, err);
}

static spmv_status rank(const spmv_matrix *A, spmv_error *err)
{
    spmv_pagerank_result out;
    return spmv_pagerank(&out, A, NULL, err);
}

static spmv_status weigh(const spmv_matrix *A, spmv_error *err)
{
    const spmv_row_stats stats = {.rows = N, .cols = N, .nnz = 7};
    spmv_weighing out;
    return spmv_kernel_weigh(&out, A, &stats, 1, SPMV_F64, 1, err);
}

static spmv_status size(const spmv_matrix *A, spmv_error *err)
{
    spmv_size out;
    return spmv_size_of(A, SPMV_BSR, NULL, &out, err);
}

static spmv_status write_text(const spmv_matrix *A, spmv_error *err)
{
    return spmv_write(A, "/dev/null", NULL, err);
}

static const struct {
    const char *name;
    spmv_status (*call)(const spmv_matrix *A, spmv_error *err);
} functions[] = {
    {"spmv_convert", convert},        {"spmv_convert_values", convert_values},
    {"spmv_transpose", transpose},    {"spmv_symmetrize", symmetrize},
    {"spmv_drop_zeros", drop_zeros},  {"spmv_spgemm", square},
    {"spmv_multiply", multiply},      {"spmv_verify", verify},
    {"spmv_structure_compute", look}, {"spmv_get_element", get},
    {"spmv_pagerank", rank},          {"spmv_write", write_text},
    {"spmv_kernel_weigh", weigh},     {"spmv_size_of", size},
};

static void expect_refusal(const spmv_matrix *A, const char *words, const char *label)
{
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        spmv_error err = {0};
        const spmv_status st = functions[k].call(A, &err);
        cr_expect_eq(st, SPMV_ERROR_INVALID_ARGUMENT, "%s, %s: %d", functions[k].name, label, st);
        cr_expect_not_null(strstr(err.message, words), "%s, %s: %s", functions[k].name, label,
                           err.message);
    }
}

Test(missing_arrays, are_told_by_every_function)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv__format *format = spmv__format_of((spmv_format)f);
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_F64, N, N, values, NULL),
                     SPMV_SUCCESS);
        for (int i = 0; i < format->array_count; i++) {
            spmv_matrix part = A;
            char label[64], words[64];
            if (spmv__array_bytes(&A, &format->arrays[i]) == 0) continue;
            *spmv__array_pointer(&part, &format->arrays[i]) = NULL;
            snprintf(label, sizeof label, "%s without %s", format->name, format->arrays[i].name);
            snprintf(words, sizeof words, "%s matrix has no %s", format->name,
                     format->arrays[i].name);
            expect_refusal(&part, words, label);
        }
        spmv_matrix negative = A;
        negative.head.nnz = -1;
        expect_refusal(&negative, "-1 entries", format->name);
        spmv_destroy(&A);
    }
}
