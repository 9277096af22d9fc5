/* sweep_test.c -- gpu-sweep: multiply random matrices with every GPU kernel, and look for a wrong
 * result.
 *
 * A case is a matrix with all that is asked of it; it follows from the seed and its number alone.
 * What goes wrong is made smaller, written to a file, and told with the command that shows it. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/base/types.h"
#include "sweep_test.h"

#include <stdlib.h>
#include <time.h>

typedef struct arguments {
    double minutes;
    int64_t cases, first; /* cases 0: as many as there is time for */
    uint64_t seed;
    int64_t nnz;   /* of a matrix, at most; 0: what suits the device */
    bool rankings; /* and no products */
    bool trace;    /* tell the number of each case before it begins */
    bool stop;     /* at the first wrong result, which is not made smaller */
} arguments;

enum {
    KERNELS = 32,
    KINDS = 32, /* of matrices */
    MOST_WORK =
        1 << 20 /* entries and elements times vectors, so that a product takes little time */
};

/* Counts what was seen. */
typedef struct tally {
    int64_t cases, wrong, products, rankings, pairs, refused;
    int64_t of_kernel[KERNELS], refused_by[KERNELS];
    const char *kind[KINDS]; /* NULL ends them */
    int64_t of_kind[KINDS];
    int64_t of_type[SPMV_TYPES][SPMV_TYPES];
    int64_t transposed, by_rows, on_gpu, replayed, odd, with_y;
} tally;

typedef struct sweep {
    arguments args;
    spmv_context *ctx;
    bool emulated;
    tally seen;
} sweep;

/* ---- The device ------------------------------------------------------------------------------ */

enum { SHARED = 227 << 10 }; /* bytes that a block of threads has on a current GPU */

static void set_number(const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    setenv(name, text, 1);
}

static sweep_kind draw_kind(dice *d)
{
    const double chance = 100 * dice_uniform(d);
    return chance < 0.5   ? SWEEP_LONG_ROW
           : chance < 2   ? SWEEP_CROWDED
           : chance < 3.3 ? SWEEP_WIDE
           : chance < 5   ? SWEEP_WIDE_ROWS
                          : SWEEP_ORDINARY;
}

/* An emulated device is another one for each case, so that small matrices cross its limits: little
 * shared memory, few multiprocessors, indices of 64 bits, plans whose limits are divided. */
static int64_t draw_device(dice *d, sweep_kind kind)
{
    static const int64_t divisors[] = {1, 1, 4, 16, 64, 256};
    const bool large = kind == SWEEP_LONG_ROW || dice_chance(d, 30);
    const int64_t shared = large                   ? 37 << 10
                           : kind == SWEEP_CROWDED ? dice_magnitude(d, 6 << 10, 12 << 10)
                                                   : dice_magnitude(d, 2 << 10, 37 << 10);
    set_number("EMULATED_SHARED", shared / 16 * 16);
    set_number("EMULATED_MULTIPROCESSORS", 1 + dice_below(d, 5));
    set_number("EMULATED_WIDE", dice_chance(d, 15));
    set_number("EMULATED_DIVISOR", DICE_PICK(d, divisors));
    return shared / 16 * 16;
}

static sweep_size draw_size(const sweep *s, dice *d)
{
    const sweep_kind kind = draw_kind(d);
    const bool full = kind == SWEEP_LONG_ROW || kind == SWEEP_CROWDED;
    const int64_t shared = s->emulated ? draw_device(d, kind) : SHARED;
    const int64_t small = kind == SWEEP_LONG_ROW                       ? 40000
                          : kind == SWEEP_CROWDED || dice_chance(d, 6) ? 6000
                                                                       : 1600;
    const int64_t nnz = s->args.nnz > 0 ? s->args.nnz : s->emulated ? small : 800000;
    const int64_t most = full ? nnz : dice_magnitude(d, nnz / 50 + 1, nnz);
    const int64_t several = shared * (1 + dice_below(d, 6));
    sweep_size size = {
        .kind = kind, .rows = most, .cols = s->emulated ? 3000 : 1000000, .nnz = most};
    if (dice_chance(d, 50)) size.cols = several / 4 + 1;
    if (kind == SWEEP_LONG_ROW) size.cols = most;
    if (kind == SWEEP_CROWDED) size.cols = 2 * most;
    if (kind == SWEEP_WIDE || kind == SWEEP_WIDE_ROWS) size.cols += 1 << 17;
    if (kind == SWEEP_WIDE_ROWS) {
        size.rows = nnz / 50;
        size.nnz = nnz;
    }
    size.limits[0] = shared / 16;
    size.limits[1] = shared / 8;
    size.limits[2] = shared / 4;
    return size;
}

/* ---- One case -------------------------------------------------------------------------------- */

static sweep_case case_of(const sweep *s, int64_t number)
{
    return (sweep_case){s->ctx, s->args.seed, number, s->args.nnz, s->emulated, s->args.stop};
}

static void count_kind(tally *seen, const char *what)
{
    int i = 0;
    while (i < KINDS - 1 && seen->kind[i] != NULL && strcmp(seen->kind[i], what) != 0) i++;
    seen->kind[i] = what;
    seen->of_kind[i]++;
}

static void count(tally *seen, int kernel, spmv_type type, const sweep_setting *setting,
                  const sweep_product *p, int n, int64_t products)
{
    seen->products += products;
    seen->of_kernel[kernel] += products;
    seen->of_type[type][setting->vector] += products;
    for (int i = 0; i < n; i++) {
        seen->transposed += setting->transpose;
        seen->by_rows += p[i].by_rows;
        seen->on_gpu += p[i].on_gpu;
        seen->replayed += p[i].replays;
        seen->odd += p[i].odd_elements > 0;
        seen->with_y += !spmv__is_zero(p[i].beta);
    }
}

/* Makes all products of a matrix with one kernel.  Returns whether all of them are right. */
static bool run_kernel(sweep *s, dice *d, int64_t number, sweep_matrix *m, int k, spmv_type vector)
{
    char why[256] = "";
    int64_t products = 0;
    sweep_product p[SWEEP_PRODUCTS];
    const int n =
        s->emulated ? 1 + (int)dice_below(d, 2) : 3 + (int)dice_below(d, SWEEP_PRODUCTS - 2);
    sweep_setting setting = sweep_draw_setting(d, spmv_kernel_at(k), vector);
    if (s->emulated && dice_chance(d, 75)) /* each thread takes its time */
        setting.options.block_size = 32 << dice_below(d, 2);
    for (int i = 0; i < n; i++) {
        const spmv_head *A = &m->A.head;
        p[i] = sweep_draw_product(d, &setting);
        while (p[i].vectors > 1 && p[i].vectors * (A->rows + A->cols + A->nnz) > MOST_WORK)
            p[i].vectors /= 2;
    }
    const sweep_outcome outcome = sweep_multiply(s->ctx, &m->A, &setting, p, n, &products, why);
    if (outcome == SWEEP_REFUSED) {
        s->seen.refused++;
        s->seen.refused_by[k]++;
        return true;
    }
    count(&s->seen, k, m->A.head.type, &setting, p, n, products);
    if (outcome == SWEEP_RIGHT) return true;
    const sweep_case c = case_of(s, number);
    sweep_show_product(&c, m, &setting, p, n, why);
    return false;
}

/* Compares CPU and GPU, and counts that.  Returns whether they are the same. */
static bool run_comparison(sweep *s, dice *d, int64_t number, sweep_matrix *m, const char *name,
                           sweep_comparison *compare, int64_t *seen)
{
    char why[256] = "";
    const dice before = *d;
    const sweep_outcome outcome = compare(d, s->ctx, &m->A, why);
    *seen += outcome != SWEEP_REFUSED;
    if (outcome != SWEEP_WRONG) return true;
    const sweep_case c = case_of(s, number);
    sweep_show_comparison(&c, m, name, compare, &before, why);
    return false;
}

#define X(name, type, vector) {type, vector},
static const struct {
    spmv_type type, vector;
} types[] = {SPMV__TYPES_TABLE(X)};
#undef X

/* The kernels do not see each other's draws: the same case is the same when the list grows. */
static void run_case(sweep *s, int64_t number)
{
    dice d = {.stream = spmv__mix(s->args.seed ^ spmv__mix((uint64_t)number))};
    const sweep_size size = draw_size(s, &d);
    const int t = (int)dice_below(&d, (int64_t)(sizeof types / sizeof *types));
    sweep_matrix m = size.kind != SWEEP_ORDINARY || dice_chance(&d, 65)
                         ? sweep_adversary(&d, &size, types[t].type)
                         : sweep_generated(&d, &size, types[t].type);
    for (int k = 0; k < spmv_kernel_count() && k < KERNELS && !s->args.rankings; k++) {
        const spmv_kernel *kernel = spmv_kernel_at(k);
        dice own = {.stream = spmv__mix(d.stream + (uint64_t)k + 1)};
        if (!kernel->gpu || !kernel->available) continue;
        if (s->emulated && dice_chance(&own, 35)) continue; /* more matrices rather */
        const bool right = run_kernel(s, &own, number, &m, k, types[t].vector);
        s->seen.wrong += !right;
        if (!right) break; /* the matrix is not the same any more */
    }
    if ((number % 2 == 0 || s->args.rankings) && m.A.head.nnz <= size.nnz)
        s->seen.wrong +=
            !run_comparison(s, &d, number, &m, "pagerank", sweep_rank, &s->seen.rankings);
    if (number % 2 == 1 && !s->args.rankings) {
        dice own = {.stream = spmv__mix(d.stream + KERNELS + 1)};
        s->seen.wrong += !run_comparison(s, &own, number, &m, "spgemm", sweep_pair, &s->seen.pairs);
    }
    s->seen.cases++;
    count_kind(&s->seen, m.what);
    spmv_destroy(&m.A);
}

/* ---- Everything ------------------------------------------------------------------------------ */

static void report(const sweep *s)
{
    const tally *seen = &s->seen;
    printf("%lld matrices, %lld products, %lld rankings, %lld pairs, %lld wrong\n",
           (long long)seen->cases, (long long)seen->products, (long long)seen->rankings,
           (long long)seen->pairs, (long long)seen->wrong);
    for (int i = 0; i < KINDS && seen->kind[i] != NULL; i++)
        printf("  %-12s %8lld matrices\n", seen->kind[i], (long long)seen->of_kind[i]);
    for (int k = 0; k < KERNELS && spmv_kernel_at(k) != NULL; k++)
        if (seen->of_kernel[k] + seen->refused_by[k] > 0)
            printf("  %-12s %8lld products, %5lld matrices refused\n", spmv_kernel_at(k)->name,
                   (long long)seen->of_kernel[k], (long long)seen->refused_by[k]);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        printf("  %-7s x %-5s %8lld\n", spmv_type_name(types[i].type),
               spmv_type_name(types[i].vector),
               (long long)seen->of_type[types[i].type][types[i].vector]);
    printf(
        "  transposed %lld, vectors by rows %lld, on the GPU %lld, replays %lld, NaN or infinity "
        "in x %lld, beta not 0 %lld\n",
        (long long)seen->transposed, (long long)seen->by_rows, (long long)seen->on_gpu,
        (long long)seen->replayed, (long long)seen->odd, (long long)seen->with_y);
}

static const char usage[] = "usage: gpu-sweep [--minutes M] [--cases N] [--seed N] [--case K] "
                            "[--max-nnz N] [--rankings] [--trace] "
                            "[--stop]\n";

static bool parse(arguments *a, int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        bool *flag = strcmp(name, "--stop") == 0       ? &a->stop
                     : strcmp(name, "--rankings") == 0 ? &a->rankings
                     : strcmp(name, "--trace") == 0    ? &a->trace
                                                       : NULL;
        if (flag != NULL) {
            *flag = true;
            continue;
        }
        char *end = NULL;
        const double value = i + 1 < argc ? strtod(argv[++i], &end) : -1;
        if (end == NULL || *end != '\0' || end == argv[i] || !(value >= 0)) return false;
        if (strcmp(name, "--minutes") == 0)
            a->minutes = value;
        else if (strcmp(name, "--cases") == 0)
            a->cases = (int64_t)value;
        else if (strcmp(name, "--seed") == 0)
            a->seed = (uint64_t)value;
        else if (strcmp(name, "--max-nnz") == 0)
            a->nnz = (int64_t)value;
        else if (strcmp(name, "--case") == 0)
            a->first = (int64_t)value, a->cases = 1;
        else
            return false;
    }
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char *argv[])
{
    sweep s = {.args = {.minutes = 1, .seed = (uint64_t)time(NULL)}};
    spmv_device_info device;
    spmv_error err;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a case that hangs has told is there */
    if (!parse(&s.args, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (spmv_context_create(&s.ctx, 0, 0, &err) != SPMV_SUCCESS ||
        spmv_device_describe(0, &device, &err) != SPMV_SUCCESS) {
        fprintf(stderr, "gpu-sweep: %s\n", err.message);
        return 6;
    }
    s.emulated = strcmp(device.name, "emulated") == 0;
    printf("gpu-sweep: %s, seed %llu\n", device.name, (unsigned long long)s.args.seed);
    const double until = now() + 60 * s.args.minutes;
    for (int64_t k = 0; s.args.cases > 0 ? k < s.args.cases : now() < until; k++) {
        if (s.args.trace) printf("case %lld\n", (long long)(s.args.first + k));
        run_case(&s, s.args.first + k);
        if (s.args.stop && s.seen.wrong > 0) break;
    }
    report(&s);
    spmv_context_destroy(s.ctx);
    return s.seen.wrong > 0;
}
