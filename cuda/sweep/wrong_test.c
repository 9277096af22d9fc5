/* wrong_test.c -- what is said of a wrong result: the case, the smallest matrix with which it is
 * still wrong, which goes to a file, and the command that shows it. */
#include "core/matrix/value.h"
#include "sweep_test.h"

#include <stdlib.h>

static void describe(const sweep_case *c, const sweep_matrix *m, const sweep_setting *setting,
                     const char *why)
{
    const spmv_head *A = &m->A.head;
    printf("WRONG: seed %llu case %lld: %s %lld x %lld with %lld entries (%s)",
           (unsigned long long)c->seed, (long long)c->number, m->what, (long long)A->rows,
           (long long)A->cols, (long long)A->nnz, spmv_type_name(A->type));
    if (setting != NULL)
        printf(", %s%s, vectors %s, blocks of %d", setting->kernel->name,
               setting->transpose ? " transposed" : "", spmv_type_name(setting->vector),
               setting->options.block_size);
    printf(": %s\n  again: gpu-sweep --seed %llu --case %lld", why, (unsigned long long)c->seed,
           (long long)c->number);
    if (c->nnz > 0) printf(" --max-nnz %lld", (long long)c->nnz);
    puts("");
    fflush(stdout);
}

/* One kernel and its products, as the shrinking asks for them. */
typedef struct attempt {
    spmv_context *ctx;
    const sweep_setting *setting;
    const sweep_product *p;
    int n;
} attempt;

static bool is_multiplied_wrongly(void *user, const spmv_matrix *A)
{
    const attempt *a = user;
    int64_t counted = 0;
    char why[256];
    return sweep_multiply(a->ctx, A, a->setting, a->p, a->n, &counted, why) == SWEEP_WRONG;
}

/* A comparison, as the shrinking asks for it: the same draws each time. */
typedef struct repetition {
    spmv_context *ctx;
    sweep_comparison *compare;
    dice d;
} repetition;

static bool is_different(void *user, const spmv_matrix *A)
{
    const repetition *r = user;
    dice d = r->d;
    char why[256];
    return r->compare(&d, r->ctx, A, why) == SWEEP_WRONG;
}

/* Vectors that spmv-run can begin with; it takes y for 0 otherwise. */
static void write_y(const char *path, spmv_type type, int64_t rows, int64_t vectors)
{
    const spmv_write_options options = {.overwrite = true};
    spmv_dense y;
    if (spmv_dense_create(&y, type, rows, vectors, NULL) != SPMV_SUCCESS) return;
    spmv_dense_fill_random(&y, 1);
    if (spmv_write_vector(&y, path, &options, NULL) == SPMV_SUCCESS) printf(" -y %s", path);
    spmv_dense_destroy(&y);
}

static void show_factor(const char *name, spmv_scalar value)
{
    printf(" --%s %.17g", name, value.re);
    if (value.im != 0) printf("%+.17gi", value.im);
}

/* Prints the command for the smallest matrix, and what the emulated device is like. */
static void show_command(const sweep_case *c, const char *path, const spmv_matrix *A,
                         const attempt *a)
{
    static const char *const settings[] = {"EMULATED_SHARED", "EMULATED_MULTIPROCESSORS",
                                           "EMULATED_WIDE", "EMULATED_DIVISOR"};
    const sweep_setting *t = a->setting;
    const bool single = t->vector == SPMV_F32 || t->vector == SPMV_C64;
    const int64_t vectors = a->p->by_rows && a->p->vectors > 1 ? a->p->vectors : 1;
    char y[160];
    printf("  smallest, %lld x %lld with %lld entries:", (long long)A->head.rows,
           (long long)A->head.cols, (long long)A->head.nnz);
    for (size_t i = 0; c->emulated && i < sizeof settings / sizeof *settings; i++)
        printf(" %s=%s", settings[i], getenv(settings[i]));
    printf(" spmv-run%s %s -k %s%s --device gpu --precision %s -x random --vectors %lld",
           c->emulated ? "-emulated" : "", path, t->kernel->name,
           t->transpose ? " --transpose" : "", single ? "f32" : "f64", (long long)vectors);
    if (t->options.block_size > 0) printf(" --block-size %d", t->options.block_size);
    show_factor("alpha", a->p->alpha);
    show_factor("beta", a->p->beta);
    snprintf(y, sizeof y, "%.*s-y.mtx", (int)strlen(path) - 4, path);
    if (!spmv__is_zero(a->p->beta))
        write_y(y, t->vector, t->transpose ? A->head.cols : A->head.rows, vectors);
    printf(" --verify -o y.mtx%s\n", a->n > 1 ? "  (several products, one after another)" : "");
}

/* Makes the matrix smaller while it is wrong, writes it to a file and says where. */
static bool write_smallest(const sweep_case *c, sweep_matrix *m, const char *name,
                           sweep_is_wrong *is_wrong, void *user, char path[128])
{
    const spmv_write_options options = {.overwrite = true};
    spmv_error err;
    sweep_shrink(&m->A, is_wrong, user);
    snprintf(path, 128, "sweep-%llu-%lld-%s.mtx", (unsigned long long)c->seed, (long long)c->number,
             name);
    if (spmv_write(&m->A, path, &options, &err) == SPMV_SUCCESS) return true;
    printf("  %s\n", err.message);
    return false;
}

/* One of the products shrinks it if that is enough. */
void sweep_show_product(const sweep_case *c, sweep_matrix *m, const sweep_setting *s,
                        const sweep_product *p, int n, const char *why)
{
    attempt a = {c->ctx, s, p, n};
    char path[128];
    describe(c, m, s, why);
    for (int i = 0; i < n && n > 1 && !c->hurried; i++) {
        attempt one = {c->ctx, s, p + i, 1};
        if (is_multiplied_wrongly(&one, &m->A)) a = one;
    }
    if (!c->hurried && write_smallest(c, m, s->kernel->name, is_multiplied_wrongly, &a, path))
        show_command(c, path, &m->A, &a);
    fflush(stdout);
}

void sweep_show_comparison(const sweep_case *c, sweep_matrix *m, const char *name,
                           sweep_comparison *compare, const dice *d, const char *why)
{
    repetition again = {c->ctx, compare, *d};
    char path[128];
    describe(c, m, NULL, why);
    if (!c->hurried && write_smallest(c, m, name, is_different, &again, path))
        printf("  smallest: the matrix in %s\n", path);
    fflush(stdout);
}
