/* generate_test.c -- what all generators have in common: the table, errors, and reproducibility. */
#include "core/matrix/value.h"
#include "core/generate/generated_matrix_test.h"

#include <math.h>
#include <stdio.h>

Test(generate, the_table_is_complete)
{
    cr_assert_eq(spmv_generator_count(), 12);
    cr_assert_null(spmv_generator_at(-1));
    cr_assert_null(spmv_generator_at(12));
    cr_assert_null(spmv_generator_find("stencil9"));
    cr_assert_null(spmv_generator_find(NULL));
    for (int i = 0; i < spmv_generator_count(); i++) {
        const spmv_generator *g = spmv_generator_at(i);
        cr_assert_eq(spmv_generator_find(g->name), g);
        cr_assert_gt(strlen(g->summary), 10);
        cr_assert_gt(strlen(g->uses), 3);
    }
}

/* Options under which every kind is small and none is trivial. */
static spmv_generate_options small_options(const char *kind)
{
    spmv_generate_options options = {.type = SPMV_F64, .seed = 2026};
    bool grid = strstr(spmv_generator_find(kind)->uses, "grid") != NULL;
    if (grid) options.grid = 9;
    if (strstr(spmv_generator_find(kind)->uses, "rows") != NULL) options.rows = 1500;
    if (strcmp(kind, "dense") == 0) options.rows = 100;
    if (strcmp(kind, "rmat") == 0) options.scale = 11;
    return options;
}

Test(generate, every_kind_works_with_its_defaults)
{
    for (int i = 0; i < spmv_generator_count(); i++) {
        spmv_csr A = generate(spmv_generator_at(i)->name, (spmv_generate_options){0});
        cr_assert_gt(A.nnz, 10000, "%s", spmv_generator_at(i)->name);
        cr_assert_eq(A.type, SPMV_PATTERN);
        spmv_csr_destroy(&A);
    }
}

Test(generate, the_number_of_threads_changes_nothing)
{
    static const int threads[] = {2, 3, 7, 0};
    for (int i = 0; i < spmv_generator_count(); i++)
        for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++) {
            const char *kind = spmv_generator_at(i)->name;
            spmv_generate_options options = small_options(kind);
            options.type = type;
            options.threads = 1;
            spmv_csr A = generate(kind, options);
            spmv_matrix one = spmv__wrap_csr(&A);
            for (int t = 0; t < 4; t++) {
                options.threads = threads[t];
                spmv_csr B = generate(kind, options);
                spmv_matrix many = spmv__wrap_csr(&B);
                cr_assert(spmv_identical(&one, &many), "%s, %d threads", kind, threads[t]);
                spmv_csr_destroy(&B);
            }
            spmv_csr_destroy(&A);
        }
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) hash = spmv__mix(hash ^ byte[i]);
    return hash;
}

/* These hashes come from the generators themselves.  They establish no structure (the tests beside
 * each family do), only that a seed gives the same bits in every build, on every machine and in
 * every later version: results measured on generated matrices are comparable because of it. */
Test(generate, a_seed_gives_the_same_bits_everywhere)
{
    static const struct {
        const char *kind;
        uint64_t f64, f32;
    } pinned[] = {
        {"stencil5", 0x350334bda844c221u, 0xeba01737f68e6d00u},
        {"stencil7", 0x3e48580041f9a6d3u, 0x78f7f14b3afa6796u},
        {"stencil27", 0x8cacd1dea9bbc6a3u, 0x475c1a0095d1e87bu},
        {"fem", 0x77666e382ab7cc5du, 0x89d18299262dd690u},
        {"uniform", 0xdbd6397811ebc7a6u, 0x5dff93774f454570u},
        {"banded", 0x83e87046104f9548u, 0x019e71541002bc1au},
        {"block", 0x1966ed477d0f9d24u, 0x647837db942a7e9bu},
        {"dense", 0x22decd9a7980bc3cu, 0x31a1b96e63dd7bd2u},
        {"powerlaw", 0x75587f607aa44ddfu, 0x5b974823ba7d540cu},
        {"skew", 0xd87ffdfcc85cb3a3u, 0xe083c7f4c7f4e247u},
        {"rmat", 0x215c4d7ce9e7656au, 0xaa68a1deac8f5615u},
        {"hypersparse", 0xa36e1ca1c3354de5u, 0x0209f573978f944cu},
    };
    cr_assert_eq(sizeof pinned / sizeof pinned[0], spmv_generator_count());
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++)
        for (spmv_type type = SPMV_F32; type <= SPMV_F64; type++) {
            spmv_generate_options options = small_options(pinned[i].kind);
            options.type = type;
            spmv_csr A = generate(pinned[i].kind, options);
            uint64_t hash = hash_bytes(0, A.row_ptr, (size_t)(A.rows + 1) * 8);
            hash = hash_bytes(hash, A.col_idx, (size_t)A.nnz * 4);
            hash = hash_bytes(hash, A.val, (size_t)A.nnz * spmv_type_size(type));
            cr_expect_eq(hash, type == SPMV_F64 ? pinned[i].f64 : pinned[i].f32, "%s %s: 0x%016llx",
                         pinned[i].kind, spmv_type_name(type), (unsigned long long)hash);
            spmv_csr_destroy(&A);
        }
}

Test(generate, another_seed_gives_another_matrix)
{
    for (int i = 0; i < spmv_generator_count(); i++) {
        const char *kind = spmv_generator_at(i)->name;
        spmv_generate_options options = small_options(kind);
        options.values = SPMV_VALUES_RANDOM;
        spmv_csr A = generate(kind, options);
        options.seed++;
        spmv_csr B = generate(kind, options);
        spmv_matrix first = spmv__wrap_csr(&A), second = spmv__wrap_csr(&B);
        cr_assert_not(spmv_identical(&first, &second), "%s", kind);
        spmv_csr_destroy(&A);
        spmv_csr_destroy(&B);
    }
}

Test(generate, kinds_said_to_be_symmetric_are)
{
    static const spmv_generate_values values[] = {SPMV_VALUES_OWN, SPMV_VALUES_RANDOM,
                                                  SPMV_VALUES_ONES};
    int symmetric = 0;
    for (int i = 0; i < spmv_generator_count(); i++)
        for (int v = 0; v < 3; v++) {
            if (!spmv_generator_at(i)->symmetric) continue;
            spmv_generate_options options = small_options(spmv_generator_at(i)->name);
            options.values = values[v];
            spmv_csr A = generate(spmv_generator_at(i)->name, options);
            spmv_matrix M = spmv__wrap_csr(&A), T;
            cr_assert_eq(spmv_transpose(&T, &M, NULL, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&M, &T), "%s", spmv_generator_at(i)->name);
            spmv_destroy(&T);
            spmv_csr_destroy(&A);
            symmetric++;
        }
    cr_assert_eq(symmetric, 4 * 3);
}

Test(generate, random_values_are_uniform_and_never_0)
{
    for (spmv_type type = SPMV_F32; type <= SPMV_F64; type++) {
        spmv_csr A = generate("uniform", (spmv_generate_options){.type = type, .rows = 20000});
        double sum = 0, squares = 0, n = (double)A.nnz;
        for (int64_t p = 0; p < A.nnz; p++) {
            double v = spmv__value(type, A.val, p);
            cr_assert(v > -1 && v < 1 && v != 0);
            sum += v;
            squares += v * v;
        }
        cr_assert(six_sigma(sum, 0, n / 3));
        cr_assert(six_sigma(squares, n / 3, n * 4 / 45));
        spmv_csr_destroy(&A);
    }
}

/* A complex value has the real part of the real one, and another that is as random. */
Test(generate, complex_values_have_two_random_parts)
{
    const spmv_generate_options real = {.type = SPMV_F64, .rows = 20000};
    const spmv_generate_options both = {.type = SPMV_C128, .rows = 20000};
    spmv_csr A = generate("uniform", real), B = generate("uniform", both);
    double sum = 0, squares = 0, products = 0, n = (double)A.nnz;
    cr_assert_eq(A.nnz, B.nnz);
    for (int64_t p = 0; p < A.nnz; p++) {
        const spmv_scalar v = spmv__scalar(SPMV_C128, B.val, p);
        cr_assert_eq(v.re, ((double *)A.val)[p]);
        cr_assert(v.im > -1 && v.im < 1 && v.im != 0);
        sum += v.im;
        squares += v.im * v.im;
        products += v.re * v.im;
    }
    cr_assert(six_sigma(sum, 0, n / 3));
    cr_assert(six_sigma(squares, n / 3, n * 4 / 45));
    cr_assert(six_sigma(products, 0, n / 9));
    spmv_csr_destroy(&A);
    spmv_csr_destroy(&B);
}

Test(generate, ones_are_ones)
{
    spmv_csr A =
        generate("stencil5", (spmv_generate_options){.type = SPMV_F32, .values = SPMV_VALUES_ONES});
    for (int64_t p = 0; p < A.nnz; p++) cr_assert_eq(((float *)A.val)[p], 1);
    spmv_csr_destroy(&A);
    A = generate("stencil5", (spmv_generate_options){.type = SPMV_C64, .values = SPMV_VALUES_ONES});
    for (int64_t p = 0; p < 2 * A.nnz; p++) cr_assert_eq(((float *)A.val)[p], p % 2 == 0);
    spmv_csr_destroy(&A);
}

/* Each kind with a member that it does not use, and that makes no sense or would make another
 * matrix if it did. */
Test(generate, members_that_a_kind_does_not_use_are_ignored)
{
    static const double given[] = {1, 5000, 0.5, 2, -1};
    int ignored = 0;
    for (int i = 0; i < spmv_generator_count(); i++) {
        const spmv_generator *g = spmv_generator_at(i);
        const char *kind = g->name;
        spmv_csr A = generate(kind, small_options(kind));
        const spmv_matrix plain = spmv__wrap_csr(&A);
        char uses[128];
        snprintf(uses, sizeof uses, " %s ", g->uses);
#define X(member_, number, name, argument, meaning)                                      \
    for (size_t k = 0; strstr(uses, " " name " ") == NULL && k < 5; k++) {               \
        spmv_generate_options options = small_options(kind);                             \
        options.member_ = (number)given[k];                                              \
        spmv_csr B = generate(kind, options);                                            \
        const spmv_matrix other = spmv__wrap_csr(&B);                                    \
        cr_expect(spmv_identical(&plain, &other), "%s, %s is %g", kind, name, given[k]); \
        spmv_csr_destroy(&B);                                                            \
        ignored++;                                                                       \
    }
        SPMV_GENERATE_PARAMETERS(X)
#undef X
        spmv_csr_destroy(&A);
    }
    cr_assert_gt(ignored, 100);
}

/* density and per-row say the same thing where both are used. */
Test(generate, unused_members_contradict_nothing)
{
    spmv_csr A =
        generate("dense", (spmv_generate_options){.rows = 3, .density = 0.5, .per_row = 2});
    cr_assert_eq(A.nnz, 9);
    spmv_csr_destroy(&A);
    A = generate("hypersparse",
                 (spmv_generate_options){.rows = 9, .density = 0.5, .per_row = 2, .nonempty = 1});
    cr_assert_eq(A.nnz, 18);
    spmv_csr_destroy(&A);
}

/* Against two matrices of different seeds. */
Test(generate, a_seed_matters_where_something_is_random)
{
    for (int i = 0; i < spmv_generator_count(); i++) {
        const spmv_generator *g = spmv_generator_at(i);
        for (int k = 0; k < 16; k++) {
            spmv_generate_options options = small_options(g->name);
            options.type = k % 4 == 3 ? SPMV_PATTERN : SPMV_F64;
            options.values = (spmv_generate_values)(k % 4 % 3);
            options.per_row = k / 4 % 2 == 1 ? 3 : 0;
            options.bandwidth = k / 8 == 1 ? 30 : 0;
            spmv_csr A = generate(g->name, options);
            options.seed++;
            spmv_csr B = generate(g->name, options);
            const spmv_matrix one = spmv__wrap_csr(&A), other = spmv__wrap_csr(&B);
            cr_expect_eq(spmv_generator_is_random(g, &options), !spmv_identical(&one, &other),
                         "%s, case %d", g->name, k);
            spmv_csr_destroy(&A);
            spmv_csr_destroy(&B);
        }
    }
    cr_assert(!spmv_generator_is_random(NULL, &(spmv_generate_options){0}));
    cr_assert(!spmv_generator_is_random(spmv_generator_at(0), NULL));
}

Test(generate, a_kind_uses_what_its_words_say)
{
    const spmv_generator *skew = spmv_generator_find("skew");
    cr_assert(spmv_generator_uses(skew, "rows") && spmv_generator_uses(skew, "bandwidth"));
    cr_assert(!spmv_generator_uses(skew, "row") && !spmv_generator_uses(skew, "width"));
    cr_assert(!spmv_generator_uses(skew, NULL) && !spmv_generator_uses(NULL, "rows"));
}

Test(generate, arguments_that_make_no_sense_are_refused_with_a_reason)
{
    static const struct {
        const char *kind;
        spmv_generate_options options;
        spmv_status status;
        const char *message;
    } bad[] = {
        {"stencil9", {0}, SPMV_ERROR_INVALID_ARGUMENT, "no generator 'stencil9'"},
        {NULL, {0}, SPMV_ERROR_INVALID_ARGUMENT, "no generator"},
        {"uniform", {.rows = -1}, SPMV_ERROR_INVALID_ARGUMENT, "rows is -1"},
        {"uniform", {.per_row = -2}, SPMV_ERROR_INVALID_ARGUMENT, "per-row is -2"},
        {"uniform", {.density = NAN}, SPMV_ERROR_INVALID_ARGUMENT, "density is nan"},
        {"uniform", {.density = 1.5}, SPMV_ERROR_INVALID_ARGUMENT, "density is 1.5, the most is 1"},
        {"uniform", {.density = .1, .per_row = 3}, SPMV_ERROR_INVALID_ARGUMENT, "give one of them"},
        {"uniform", {.rows = 5, .per_row = 6}, SPMV_ERROR_INVALID_ARGUMENT, "more than the 5 col"},
        {"uniform", {.cols = 1LL << 31}, SPMV_ERROR_INVALID_ARGUMENT, "cols is 2147483648"},
        {"uniform", {.rows = 1LL << 31}, SPMV_ERROR_INVALID_ARGUMENT, "cols is 2147483648"},
        {"uniform", {.rows = INT64_MAX, .cols = 1}, SPMV_ERROR_INVALID_DIMENSION, ""},
        {"uniform", {.rows = 1LL << 50, .cols = 1}, SPMV_ERROR_OUT_OF_MEMORY, "PB"},
        {"dense", {.rows = 1 << 25}, SPMV_ERROR_OUT_OF_MEMORY, "a generated matrix"},
        {"banded",
         {.bandwidth = 4, .per_row = 7.5},
         SPMV_ERROR_INVALID_ARGUMENT,
         "per-row is 7.5, more than the columns within a bandwidth of 4"},
        {"skew",
         {.bandwidth = 4, .per_row = 8},
         SPMV_ERROR_INVALID_ARGUMENT,
         "more than the columns within a bandwidth of 4"},
        {"hypersparse", {.nonempty = 2}, SPMV_ERROR_INVALID_ARGUMENT, "nonempty is 2"},
        {"block", {.rows = 3}, SPMV_ERROR_INVALID_ARGUMENT, "block is 4"},
        {"powerlaw", {.exponent = 1}, SPMV_ERROR_INVALID_ARGUMENT, "exponent is 1"},
        {"powerlaw",
         {.exponent = 1.01, .per_row = 2},
         SPMV_ERROR_INVALID_ARGUMENT,
         "no mean is less"},
        {"powerlaw", {.max_row = 5}, SPMV_ERROR_INVALID_ARGUMENT, "per-row is 8"},
        {"powerlaw", {.rows = 9, .max_row = 10}, SPMV_ERROR_INVALID_ARGUMENT, "max-row is 10"},
        {"skew", {.rows = 3}, SPMV_ERROR_INVALID_ARGUMENT, "huge-rows is 4 of 3 rows"},
        {"rmat", {.scale = 31}, SPMV_ERROR_INVALID_ARGUMENT, "scale is 31"},
        {"rmat", {.per_row = 1e300}, SPMV_ERROR_INVALID_ARGUMENT, "edges per node"},
        {"rmat", {.scale = 30, .per_row = 1e6}, SPMV_ERROR_OUT_OF_MEMORY, "edges"},
        {"stencil27", {.grid = 1291}, SPMV_ERROR_INVALID_ARGUMENT, "1291 points"},
        {"stencil5", {.grid = INT64_MAX}, SPMV_ERROR_INVALID_ARGUMENT, "points per side"},
        {"fem", {.grid = 2, .block = INT64_MAX}, SPMV_ERROR_INVALID_ARGUMENT, "2 points"},
        {"dense", {.type = (spmv_type)99}, SPMV_ERROR_INVALID_ARGUMENT, "no value type 99"},
        {"dense", {.type = (spmv_type)-1}, SPMV_ERROR_INVALID_ARGUMENT, "no value type -1"},
        {"dense", {.values = (spmv_generate_values)7}, SPMV_ERROR_INVALID_ARGUMENT, "no values 7"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        spmv_csr A = {.rows = 77};
        spmv_error err = {0};
        cr_expect_eq(spmv_generate(&A, bad[i].kind, &bad[i].options, &err), bad[i].status,
                     "case %zu: %s", i, err.message);
        cr_expect_not_null(strstr(err.message, bad[i].message), "case %zu: %s", i, err.message);
        cr_expect_null(A.row_ptr);
        cr_expect_eq(A.rows, 0);
    }
    cr_assert_eq(spmv_generate(NULL, "dense", NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
