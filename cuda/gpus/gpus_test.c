/* gpus_test.c -- several GPUs make the product that is right, whatever they have of it. */
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"

#include <math.h>

TestSuite(gpus, .init = gpu_test_open, .fini = gpu_test_close);

/* Where there are fewer GPUs, they have several parts each. */
enum { MOST = 7 };
static const int counts[] = {1, 2, 3, MOST};
enum { COUNTS = sizeof counts / sizeof *counts };

static spmv_gpus *open_gpus(int count, const spmv_csr *A, spmv_partition by,
                            const spmv_kernel_options *config)
{
    int device[MOST];
    spmv_gpus *gpus;
    spmv_error err;
    for (int k = 0; k < count; k++) device[k] = k % spmv_gpu_count();
    const spmv_status st = spmv_gpus_create(&gpus, device, count, A, by, config, &err);
    cr_assert_eq(st, SPMV_SUCCESS, "%s on %d GPUs: %s", config->kernel, count, err.message);
    return gpus;
}

static void wait_for_all(spmv_gpus *gpus)
{
    double seconds;
    spmv_error err;
    cr_assert_eq(spmv_gpus_timer_start(gpus, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_timer_stop(gpus, &seconds, &err), SPMV_SUCCESS, "%s", err.message);
}

Test(gpus, a_missing_array_is_told)
{
    const int device = 0;
    const spmv_kernel_options config = {.kernel = "csr-vector", .vector_type = SPMV_F64};
    int32_t col_idx[] = {0};
    double val[] = {1};
    const spmv_csr A = {
        .type = SPMV_F64, .rows = 1, .cols = 1, .nnz = 1, .col_idx = col_idx, .val = val};
    spmv_gpus *gpus;
    spmv_error err;
    cr_assert_eq(spmv_gpus_create(&gpus, &device, 1, &A, SPMV_PARTITION_NNZ, &config, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "csr matrix has no row_ptr");
}

/* What is multiplied, and what comes of it. */
typedef struct gpus_product {
    const spmv_matrix *A; /* CSR */
    const char *label;
    spmv_kernel_options options;
    spmv_scalar alpha, beta;
    spmv_dense x, y0, y;
} gpus_product;

/* Multiply twice, first with another x, and so that a missing exchange makes NaN. */
static void multiply(gpus_product *p, int count, spmv_partition by)
{
    spmv_gpus *gpus = open_gpus(count, &p->A->csr, by, &p->options);
    spmv_dense other = gpu_test_copy(&p->x);
    spmv_error err;
    for (int64_t i = 0; i < other.rows; i++)
        spmv__set_scalar(other.type, other.data, i, spmv__number(NAN, NAN));
    cr_assert_eq(spmv_gpus_set_x(gpus, &other, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_apply(gpus, p->alpha, spmv__number(0, 0), 2, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_set_x(gpus, &p->x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_set_y(gpus, &p->y0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_apply(gpus, p->alpha, p->beta, 1, &err), SPMV_SUCCESS, "%s: %s",
                 p->label, err.message);
    wait_for_all(gpus);
    cr_assert_eq(spmv_gpus_get_y(gpus, &p->y, NULL), SPMV_SUCCESS);
    spmv_gpus_destroy(gpus);
    spmv_dense_destroy(&other);
}

static void check(gpus_product *p, int count)
{
    spmv_verification v;
    cr_assert_eq(spmv_verify_complex(p->A, p->alpha, &p->x, p->beta, &p->y0, &p->y, NULL, &v, NULL),
                 SPMV_SUCCESS);
    cr_assert(v.pass, "%s: %s on %d GPUs: scaled error %g in row %lld, %lld mismatches", p->label,
              p->options.kernel, count, v.scaled_error, (long long)v.worst_row,
              (long long)v.mismatches);
}

static gpus_product make_product(const test_sample *s, const char *kernel, spmv_type vectors)
{
    gpus_product p = {.A = &s->A,
                      .label = s->label,
                      .options = {.kernel = kernel, .vector_type = vectors},
                      .alpha = {2, 0},
                      .beta = {-0.5, 0}};
    p.x = gpu_test_vector(vectors, s->A.head.cols, 1, 1);
    p.y0 = gpu_test_vector(vectors, s->A.head.rows, 1, 2);
    p.y = gpu_test_copy(&p.y0);
    return p;
}

static void destroy_product(gpus_product *p)
{
    spmv_dense_destroy(&p->x);
    spmv_dense_destroy(&p->y0);
    spmv_dense_destroy(&p->y);
}

/* Of all types and shapes: also with fewer rows than GPUs, without any, and not square. */
Test(gpus, products_of_all_types_are_right)
{
    for (int t = 0; t < TEST_TYPES; t++)
        for (int k = 0; k < TEST_CASES / 4; k++) {
            test_sample s = test_sample_make(k, test_types_of[t].type, TEST_SMALL_CELLS);
            gpus_product p = make_product(&s, "csr-merge", test_types_of[t].x_type);
            for (int i = 0; i < COUNTS; i++) {
                multiply(&p, counts[i], k % 2 ? SPMV_PARTITION_ROWS : SPMV_PARTITION_NNZ);
                check(&p, counts[i]);
            }
            destroy_product(&p);
            spmv_destroy(&s.A);
        }
}

/* Does the kernel sum each row for itself, wherever that lies? */
static bool sums_alone(const char *kernel)
{
    static const char *const alone[] = {"csr-scalar", "ell", "sell", "csell"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strcmp(kernel, alone[i]) == 0) return true;
    return false;
}

static void try_kernel(const test_sample *s, const spmv_kernel *kernel)
{
    gpus_product p = make_product(s, kernel->name, SPMV_F64);
    spmv_dense one = {0};
    spmv_matrix converted;
    if (test_convert(&converted, &s->A, kernel->format, s->label)) {
        spmv_destroy(&converted);
        for (int i = 0; i < COUNTS; i++) {
            multiply(&p, counts[i], SPMV_PARTITION_NNZ);
            check(&p, counts[i]);
            if (i == 0) one = gpu_test_copy(&p.y);
            if (sums_alone(kernel->name))
                cr_assert_arr_eq(p.y.data, one.data, (size_t)one.rows * sizeof(double),
                                 "%s: %s on %d GPUs: other bits than one GPU has", s->label,
                                 kernel->name, counts[i]);
        }
        spmv_dense_destroy(&one);
    }
    destroy_product(&p);
}

Test(gpus, every_kernel_multiplies_a_part)
{
    for (int k = 0; k < 8; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, TEST_SMALL_CELLS / 10);
        for (int i = 0; i < spmv_kernel_count(); i++)
            if (spmv_kernel_at(i)->gpu && spmv_kernel_at(i)->available)
                try_kernel(&s, spmv_kernel_at(i));
        spmv_destroy(&s.A);
    }
}

/* A stencil in a box, whose parts have rows that read own elements only between others. */
static test_sample make_stencil(int64_t side)
{
    const spmv_generator *kind = spmv_generator_find("stencil27");
    spmv_generate_options options = kind->defaults;
    test_sample s = {.label = "a stencil in a box"};
    s.A.format = SPMV_CSR;
    options.grid = side;
    options.type = SPMV_F64;
    options.values = SPMV_VALUES_RANDOM;
    cr_assert_eq(spmv_generate(&s.A.csr, kind->name, &options, NULL), SPMV_SUCCESS);
    return s;
}

/* Each of two GPUs needs the layer of points at the border, and all else waits for nothing. */
Test(gpus, parts_of_a_stencil)
{
    const int64_t side = 10, layer = side * side;
    test_sample s = make_stencil(side);
    const spmv_kernel_options config = {.kernel = "csell", .vector_type = SPMV_F64};
    spmv_gpus *gpus = open_gpus(2, &s.A.csr, SPMV_PARTITION_ROWS, &config);
    cr_assert_eq(spmv_gpus_count(gpus), 2);
    cr_assert_str_eq(spmv_gpus_kernel(gpus), "csell");
    for (int i = 0; i < 2; i++) {
        const spmv_gpu_share share = spmv_gpus_share(gpus, i);
        cr_assert_eq(share.rows, side * layer / 2);
        cr_assert_eq(share.nnz, s.A.csr.nnz / 2);
        cr_assert_eq(share.received, layer);
        cr_assert_eq(share.sent, layer);
        /* The rows of a layer inside have 3 (3 side - 2)^2 entries. */
        cr_assert_eq(share.inner, share.nnz - 3 * (3 * side - 2) * (3 * side - 2));
    }
    spmv_gpus_destroy(gpus);
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->gpu && spmv_kernel_at(i)->available)
            try_kernel(&s, spmv_kernel_at(i));
    spmv_destroy(&s.A);
}

/* Replays do what the calls do, where each product changes what the next one reads of y; nothing is
 * recorded where the host takes part. */
Test(gpus, products_are_recorded)
{
    enum { TIMES = 3 };
    test_sample s = make_stencil(7);
    gpus_product p = make_product(&s, "csr-vector", SPMV_F64);
    for (int i = 0; i < COUNTS; i++) {
        spmv_gpus *gpus = open_gpus(counts[i], &s.A.csr, SPMV_PARTITION_NNZ, &p.options);
        spmv_dense replayed = gpu_test_copy(&p.y0);
        spmv_recording *recording;
        spmv_error err;
        cr_assert_eq(spmv_gpus_set_x(gpus, &p.x, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpus_set_y(gpus, &p.y0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpus_apply(gpus, p.alpha, p.beta, 2 * TIMES, NULL), SPMV_SUCCESS);
        wait_for_all(gpus);
        cr_assert_eq(spmv_gpus_get_y(gpus, &p.y, NULL), SPMV_SUCCESS);
        const bool host = spmv_gpus_route(gpus) == SPMV_ROUTE_HOST;
        cr_assert_eq(spmv_gpus_record(&recording, gpus, p.alpha, p.beta, TIMES, &err),
                     host ? SPMV_ERROR_UNSUPPORTED : SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_gpus_set_y(gpus, &p.y0, NULL), SPMV_SUCCESS);
        for (int k = 0; k < 2; k++)
            cr_assert_eq(host ? spmv_gpus_apply(gpus, p.alpha, p.beta, TIMES, NULL)
                              : spmv_gpus_replay(gpus, recording, NULL),
                         SPMV_SUCCESS);
        wait_for_all(gpus);
        cr_assert_eq(spmv_gpus_get_y(gpus, &replayed, NULL), SPMV_SUCCESS);
        cr_assert_arr_eq(replayed.data, p.y.data, (size_t)p.y.rows * sizeof(double), "%d GPUs",
                         counts[i]);
        spmv_recording_destroy(recording);
        spmv_gpus_destroy(gpus);
        spmv_dense_destroy(&replayed);
    }
    destroy_product(&p);
    spmv_destroy(&s.A);
}

static void assert_refused(const spmv_csr *A, const int *device, const spmv_kernel_options *config,
                           spmv_status status, const char *part)
{
    spmv_gpus *gpus;
    spmv_error err;
    cr_assert_eq(spmv_gpus_create(&gpus, device, 2, A, SPMV_PARTITION_NNZ, config, &err), status);
    cr_assert_null(gpus);
    cr_assert_not_null(strstr(err.message, part), "%s", err.message);
}

Test(gpus, what_is_refused)
{
    test_sample s = make_stencil(3);
    const int first[] = {0, 0}, missing[] = {0, 1000};
    spmv_kernel_options config = {.kernel = "csr-merge", .vector_type = SPMV_F64};
    spmv_dense x = gpu_test_vector(SPMV_F64, 26, 1, 1),
               single = gpu_test_vector(SPMV_F32, 27, 1, 1);
    spmv_gpus *gpus = open_gpus(2, &s.A.csr, SPMV_PARTITION_NNZ, &config);
    cr_assert_eq(spmv_gpus_set_x(gpus, &x, NULL), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_gpus_set_y(gpus, &single, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_gpus_apply(gpus, spmv__number(0, 1), spmv__number(0, 0), 1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_gpus_destroy(gpus);
    assert_refused(&s.A.csr, missing, &config, SPMV_ERROR_NO_DEVICE, "there is no GPU 1000");
    config.vector_type = SPMV_PATTERN;
    assert_refused(&s.A.csr, first, &config, SPMV_ERROR_INVALID_ARGUMENT, "multiplies no");
    config = (spmv_kernel_options){.kernel = "cpu-csr", .vector_type = SPMV_F64};
    assert_refused(&s.A.csr, first, &config, SPMV_ERROR_INVALID_ARGUMENT, "'cpu-csr' is no kernel");
    config.kernel = NULL;
    assert_refused(&s.A.csr, first, &config, SPMV_ERROR_INVALID_ARGUMENT, "'' is no kernel");
    s.A.csr.symmetry = SPMV_SYMMETRIC;
    assert_refused(&s.A.csr, first, &config, SPMV_ERROR_UNSUPPORTED, "expand it first");
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&single);
    spmv_destroy(&s.A);
}

/* A rank without others makes the bits of one GPU, over either route. */
Test(gpus, a_rank_alone)
{
    static const spmv_route routes[] = {SPMV_ROUTE_AUTO, SPMV_ROUTE_HOST};
    test_sample s = make_stencil(6);
    gpus_product p = make_product(&s, "csr-merge", SPMV_F64);
    spmv_comm *comm;
    spmv_recording *recording;
    spmv_error err;
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    multiply(&p, 1, SPMV_PARTITION_NNZ);
    check(&p, 1);
    for (int i = 0; i < 2; i++) {
        spmv_dense y = gpu_test_copy(&p.y0);
        spmv_part part;
        spmv_gpus *gpus;
        cr_assert_eq(spmv_part_spread(&part, comm, &s.A, SPMV_PARTITION_NNZ, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpus_create_on_rank(&gpus, comm, 0, &part, &p.options, routes[i], &err),
                     SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_gpus_set_x(gpus, &p.x, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpus_set_y(gpus, &y, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_gpus_apply(gpus, p.alpha, p.beta, 1, NULL), SPMV_SUCCESS);
        wait_for_all(gpus);
        cr_assert_eq(spmv_gpus_get_y(gpus, &y, NULL), SPMV_SUCCESS);
        cr_assert_arr_eq(y.data, p.y.data, (size_t)y.rows * sizeof(double));
        const bool host = spmv_gpus_route(gpus) == SPMV_ROUTE_HOST;
        const spmv_status st = spmv_gpus_record(&recording, gpus, p.alpha, p.beta, 2, NULL);
        cr_assert_eq(st, host ? SPMV_ERROR_UNSUPPORTED : SPMV_SUCCESS);
        spmv_recording_destroy(recording);
        spmv_gpus_destroy(gpus);
        spmv_part_destroy(&part);
        spmv_dense_destroy(&y);
    }
    spmv_comm_close(comm);
    destroy_product(&p);
    spmv_destroy(&s.A);
}

/* What a rank is refused, all are, and nothing of it is left. */
Test(gpus, what_a_rank_is_refused)
{
    test_sample s = make_stencil(3);
    spmv_kernel_options config = {.kernel = "csr-merge", .vector_type = SPMV_F64};
    spmv_gpus *gpus;
    spmv_comm *comm;
    spmv_part part, cut, assigned;
    spmv_error err;
    const int32_t rank_of_row[27] = {0};
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_spread(&part, comm, &s.A, SPMV_PARTITION_NNZ, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_spread(&cut, comm, &s.A, SPMV_PARTITION_NONZEROS, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_spread(&assigned, comm, &s.A, SPMV_PARTITION_NNZ, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_assign(&assigned, comm, rank_of_row, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpus_create_on_rank(&gpus, comm, 1000, &part, &config, SPMV_ROUTE_AUTO, &err),
                 SPMV_ERROR_NO_DEVICE);
    cr_assert_not_null(strstr(err.message, "there is no GPU 1000"), "%s", err.message);
    cr_assert_eq(spmv_gpus_create_on_rank(&gpus, comm, 0, &cut, &config, SPMV_ROUTE_AUTO, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(
        spmv_gpus_create_on_rank(&gpus, comm, 0, &assigned, &config, SPMV_ROUTE_AUTO, NULL),
        SPMV_ERROR_INVALID_ARGUMENT);
    config.kernel = "cpu-csr";
    cr_assert_eq(spmv_gpus_create_on_rank(&gpus, comm, 0, &part, &config, SPMV_ROUTE_AUTO, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(gpus);
    spmv_part_destroy(&part);
    spmv_part_destroy(&cut);
    spmv_part_destroy(&assigned);
    spmv_comm_close(comm);
    spmv_destroy(&s.A);
}
