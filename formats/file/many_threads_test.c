/* many_threads_test.c -- several threads call every kind of function on the same matrices at once.
 *
 * All begin with the same call at the same time, so that what a first call prepares is prepared by
 * several; then each goes through the calls in an order of its own.  The results are compared with
 * those of one thread that calls alone, afterwards.  scripts/test-threads runs this program under
 * ThreadSanitizer, for which it stands by itself. */
#include "spmv.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 2, ROWS = 300 };

/* ---- What they share --------------------------------------------------------------------------
 */

typedef struct shared_data {
    char folder[64];
    spmv_matrix A;                   /* CSR, square */
    spmv_matrix other[SPMV_FORMATS]; /* A in each format; ELL may be none */
    spmv_dense x, y;                 /* y = A x */
    char binary[96], text[96], packed[96], edges[96], arrays[96]; /* files of A, "" for none */
} shared_data;

static shared_data data;

/* A call of the library fails the test, and all of it, when it fails. */
static void must(spmv_status st, const spmv_error *err, const char *what)
{
    if (st == SPMV_SUCCESS) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, err->message);
    exit(1);
}
#define MUST(call) must((call), &err, #call)

static void write_file(char path[96], const char *name)
{
    const spmv_write_options options = {.overwrite = true};
    spmv_error err;
    snprintf(path, 96, "%s/%s", data.folder, name);
    const spmv_status st = spmv_write(&data.A, path, &options, &err);
    if (st == SPMV_ERROR_UNSUPPORTED)
        path[0] = '\0'; /* this build has no such files */
    else
        must(st, &err, name);
}

static void make_data(void)
{
    const spmv_generate_options options = {.rows = ROWS, .per_row = 5, .type = SPMV_F64, .seed = 3};
    spmv_error err;
    snprintf(data.folder, sizeof data.folder, "/tmp/spmv-threads-XXXXXX");
    if (mkdtemp(data.folder) == NULL) exit(1);
    data.A.format = SPMV_CSR;
    MUST(spmv_generate(&data.A.csr, "uniform", &options, &err));
    for (int f = 0; f < SPMV_FORMATS; f++)
        MUST(spmv_convert(&data.other[f], &data.A, (spmv_format)f, NULL, &err));
    MUST(spmv_dense_create(&data.x, SPMV_F64, ROWS, 1, &err));
    MUST(spmv_dense_create(&data.y, SPMV_F64, ROWS, 1, &err));
    spmv_dense_fill_random(&data.x, 5);
    MUST(spmv_multiply(&data.A, 1, &data.x, 0, &data.y, NULL, NULL, NULL, &err));
    write_file(data.binary, "A.csr");
    write_file(data.text, "A.mtx");
    write_file(data.packed, "A.mtx.gz");
    write_file(data.edges, "A.el");
    write_file(data.arrays, "A.npz");
}

static void remove_data(void)
{
    const char *const paths[] = {data.binary, data.text, data.packed, data.edges, data.arrays};
    for (int i = 0; i < 5; i++) unlink(paths[i]);
    rmdir(data.folder);
    spmv_destroy(&data.A);
    for (int f = 0; f < SPMV_FORMATS; f++) spmv_destroy(&data.other[f]);
    spmv_dense_destroy(&data.x);
    spmv_dense_destroy(&data.y);
}

/* ---- What they do: each gives a number that is always the same --------------------------------
 */

static uint64_t hash(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Of a matrix in any format, which is released. */
static uint64_t finish(spmv_matrix *B)
{
    spmv_matrix csr;
    spmv_error err;
    MUST(spmv_convert(&csr, B, SPMV_CSR, NULL, &err));
    const uint64_t sum = spmv_csr_checksum(&csr.csr);
    spmv_destroy(&csr);
    spmv_destroy(B);
    return sum;
}

static uint64_t multiply(int thread)
{
    uint64_t sum = 0;
    double y[ROWS];
    spmv_error err;
    (void)thread;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_dense out = {.type = SPMV_F64, .rows = ROWS, .cols = 1, .data = y};
        MUST(spmv_multiply(&data.other[f], 1, &data.x, 0, &out, NULL, NULL, NULL, &err));
        sum ^= hash(y, sizeof y) + (uint64_t)f;
    }
    return sum;
}

static uint64_t multiply_view(int thread)
{
    double y[ROWS];
    const spmv_csr *A = &data.A.csr;
    const spmv_csr_view view = {.type = A->type,
                                .rows = A->rows,
                                .cols = A->cols,
                                .nnz = A->nnz,
                                .row_ptr_bits = 64,
                                .col_idx_bits = 32,
                                .row_ptr = A->row_ptr,
                                .col_idx = A->col_idx,
                                .val = A->val};
    spmv_dense out = {.type = SPMV_F64, .rows = ROWS, .cols = 1, .data = y};
    spmv_error err;
    (void)thread;
    MUST(spmv_csr_view_check(&view, &err));
    MUST(spmv_csr_view_multiply(&view, 1, &data.x, 0, &out, 0, &err));
    return hash(y, sizeof y);
}

static uint64_t convert(int thread)
{
    uint64_t sum = 0;
    spmv_matrix B;
    spmv_error err;
    (void)thread;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        MUST(spmv_convert(&B, &data.A, (spmv_format)f, NULL, &err));
        sum += finish(&B);
        MUST(spmv_transpose(&B, &data.other[f], NULL, &err));
        sum += finish(&B);
    }
    MUST(spmv_symmetrize(&B, &data.A, NULL, &err));
    sum += finish(&B);
    MUST(spmv_convert_values(&B, &data.A, SPMV_C64, &err));
    sum += finish(&B);
    MUST(spmv_drop_zeros(&B, &data.A, NULL, &err));
    return sum + finish(&B);
}

static uint64_t inspect(int thread)
{
    uint64_t sum = 0;
    spmv_error err;
    (void)thread;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv_matrix *B = &data.other[f];
        spmv_row_stats rows;
        spmv_structure structure;
        spmv_size size;
        spmv_scalar value;
        MUST(spmv_check(B, &err));
        MUST(spmv_row_stats_compute(B, &rows, &err));
        MUST(spmv_structure_compute(B, &structure, &err));
        MUST(spmv_size_of(&data.A, (spmv_format)f, NULL, &size, &err));
        MUST(spmv_get_element(B, ROWS / 2, ROWS / 3, &value, &err));
        const spmv_kernel_options config = spmv_kernel_options_auto(&rows, false, NULL);
        sum += hash(config.kernel, strlen(config.kernel)) + (uint64_t)rows.max +
               (uint64_t)structure.mirrored + (uint64_t)size.bytes;
    }
    return sum + (uint64_t)spmv_smallest_type(&data.A, SPMV_F64);
}

static uint64_t verify(int thread)
{
    spmv_verification v;
    spmv_error err;
    (void)thread;
    MUST(spmv_verify(&data.A, 1, &data.x, 0, NULL, &data.y, &v, &err));
    return hash(&v.excess, sizeof v.excess) + v.pass;
}

static uint64_t multiply_matrices(int thread)
{
    spmv_matrix C;
    spmv_spgemm_estimate estimate;
    spmv_spgemm_plan *plan;
    spmv_error err;
    (void)thread;
    MUST(spmv_spgemm(&C, &data.A, &data.other[SPMV_CSC], NULL, NULL, &err));
    uint64_t sum = finish(&C);
    MUST(spmv_spgemm_estimate_product(&estimate, &data.A, &data.A, NULL, &err));
    MUST(spmv_spgemm_plan_create(&plan, NULL, &data.A, &data.A, NULL, &err));
    MUST(spmv_spgemm_plan_product(plan, &C, &err));
    spmv_spgemm_plan_destroy(plan);
    return sum + finish(&C) + (uint64_t)estimate.nnz;
}

static uint64_t rank(int thread)
{
    const spmv_pagerank_options config = {.unweighted = true};
    spmv_pagerank_result result;
    int64_t best[10];
    spmv_error err;
    (void)thread;
    MUST(spmv_pagerank(&result, &data.A, &config, &err));
    MUST(spmv_top_k(result.ranks, ROWS, 10, best, &err));
    const uint64_t sum = hash(result.ranks, ROWS * sizeof(double)) + hash(best, sizeof best);
    spmv_pagerank_destroy(&result);
    return sum;
}

static uint64_t generate(int thread)
{
    const spmv_generate_options options = {.rows = ROWS, .per_row = 4, .scale = 8, .grid = 9};
    uint64_t sum = 0;
    spmv_error err;
    (void)thread;
    for (int i = 0; i < spmv_generator_count(); i++) {
        spmv_generate_options o = spmv_generator_at(i)->defaults;
        spmv_matrix B = {.format = SPMV_CSR};
        o.rows = o.rows > 0 ? options.rows : 0;
        o.cols = o.cols > 0 ? options.rows : 0;
        o.scale = o.scale > 0 ? options.scale : 0;
        o.grid = o.grid > 0 ? options.grid : 0;
        if (o.max_row > 0) o.max_row = 20;
        if (o.huge_rows > 0) o.huge_rows = 2;
        MUST(spmv_generate(&B.csr, spmv_generator_at(i)->name, &o, &err));
        sum += finish(&B);
    }
    spmv_matrix twin = {.format = SPMV_CSR};
    MUST(spmv_generate_like(&twin.csr, &data.A, NULL, &err));
    return sum + finish(&twin);
}

static uint64_t read_files(int thread)
{
    const char *const paths[] = {data.binary, data.text, data.packed, data.edges, data.arrays};
    uint64_t sum = 0;
    (void)thread;
    for (int i = 0; i < 5; i++) {
        spmv_matrix B;
        spmv_file_info info;
        spmv_error err;
        if (paths[i][0] == '\0') continue;
        MUST(spmv_read(&B, paths[i], NULL, &info, &err));
        spmv_labels_destroy(&info.labels);
        sum += finish(&B);
    }
    return sum;
}

static uint64_t write_files(int thread)
{
    static const char *const suffixes[] = {"mtx", "sell", "el", "rb", "mtx.gz"};
    const spmv_write_options options = {.unchanged = true};
    uint64_t sum = 0;
    for (int i = 0; i < 5; i++) {
        char path[128];
        spmv_matrix B;
        spmv_error err;
        snprintf(path, sizeof path, "%s/%d.%s", data.folder, thread, suffixes[i]);
        const spmv_status st = spmv_write(&data.A, path, &options, &err);
        if (st == SPMV_ERROR_UNSUPPORTED) continue;
        must(st, &err, path);
        MUST(spmv_read(&B, path, NULL, NULL, &err));
        unlink(path);
        sum += finish(&B);
    }
    return sum;
}

static uint64_t ask(int thread)
{
    spmv_device_info cpu;
    spmv_error err;
    uint64_t sum = 0;
    (void)thread;
    MUST(spmv_device_describe(SPMV_DEVICE_CPU, &cpu, &err));
    for (int i = 0; i < spmv_kernel_count(); i++)
        sum += hash(spmv_kernel_at(i)->name, strlen(spmv_kernel_at(i)->name));
    for (int i = 0; i < spmv_file_format_count(); i++)
        sum += hash(spmv_file_format_at(i)->name, strlen(spmv_file_format_at(i)->name));
    return sum + hash(cpu.name, strlen(cpu.name)) + hash(spmv_version(), strlen(spmv_version()));
}

/* ---- The threads ------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    uint64_t (*run)(int thread);
} calls[] = {
    {"multiply", multiply},
    {"multiply a view", multiply_view},
    {"convert", convert},
    {"inspect", inspect},
    {"verify", verify},
    {"multiply matrices", multiply_matrices},
    {"rank", rank},
    {"generate", generate},
    {"read files", read_files},
    {"write files", write_files},
    {"ask", ask},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static pthread_barrier_t together;
static uint64_t found[THREADS][ROUNDS][CALLS];

static void *work(void *number)
{
    const int thread = *(const int *)number;
    for (int i = 0; i < CALLS; i++) {
        pthread_barrier_wait(&together);
        found[thread][0][i] = calls[i].run(thread);
    }
    for (int i = 0; i < CALLS; i++) {
        const int k = (i + thread * CALLS / THREADS) % CALLS;
        found[thread][1][k] = calls[k].run(thread);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    int number[THREADS], wrong = 0;
    make_data();
    pthread_barrier_init(&together, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        if (pthread_create(&thread[t], NULL, work, &number[t]) != 0) return 1;
    }
    for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
    for (int i = 0; i < CALLS; i++) {
        const uint64_t alone = calls[i].run(THREADS);
        for (int t = 0; t < THREADS * ROUNDS; t++) {
            if (found[t / ROUNDS][t % ROUNDS][i] == alone) continue;
            fprintf(stderr, "FAILED: %s of thread %d is not what one thread gets\n", calls[i].name,
                    t / ROUNDS);
            wrong = 1;
        }
    }
    pthread_barrier_destroy(&together);
    remove_data();
    return wrong;
}
