/* generated_test.c -- matrices from the generators of the suite, over the whole range of their
 * parameters. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "sweep_test.h"

static int64_t draw_number(dice *d, int64_t most)
{
    return most > 0 ? dice_magnitude(d, 1, most) : 0;
}

void sweep_fill(dice *d, spmv_matrix *A)
{
    const spmv_type type = A->head.type;
    const int kind = (int)dice_below(d, 4);
    const uint64_t seed = d->drawn++ ^ d->stream;
    for (int64_t p = 0; type != SPMV_PATTERN && p < A->head.nnz; p++) {
        double re = 2 * spmv__uniform(seed, 2 * (uint64_t)p) - 1;
        double im = 2 * spmv__uniform(seed, 2 * (uint64_t)p + 1) - 1;
        if (kind == 1) re = (double)(float)re, im = (double)(float)im;
        if (kind == 2) re = 1, im = 0;
        spmv__set_scalar(type, A->csr.val, p, spmv__number(re, im));
    }
}

/* Takes as many points in a grid of 2 or 3 dimensions as there may be rows. */
static int64_t draw_grid(dice *d, const char *kind, int64_t rows, int64_t nnz)
{
    const int64_t most = rows < nnz / 8 ? rows : nnz / 8 + 1;
    const bool flat = strcmp(kind, "stencil5") == 0;
    return dice_magnitude(d, 1, 1 + (int64_t)pow((double)most, flat ? 0.5 : 1.0 / 3));
}

static bool is_named(const char *uses, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = uses; (at = strstr(at, name)) != NULL; at += n)
        if ((at == uses || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

static spmv_generate_options draw_options(dice *d, const spmv_generator *g, const sweep_size *size,
                                          spmv_type type)
{
    spmv_generate_options o = {.type = type, .seed = d->drawn++ ^ d->stream, .threads = 1};
    const int64_t rows = draw_number(d, size->rows), most = size->nnz / (rows + 1) + 1;
    if (is_named(g->uses, "rows")) o.rows = rows + (rows == 0);
    if (is_named(g->uses, "cols") && dice_chance(d, 60))
        o.cols = 1 + draw_number(d, size->cols - 1);
    if (is_named(g->uses, "grid")) o.grid = draw_grid(d, g->name, size->rows, size->nnz);
    if (is_named(g->uses, "block")) o.block = 1 + dice_below(d, 8);
    if (is_named(g->uses, "bandwidth")) o.bandwidth = 1 + draw_number(d, most < 300 ? most : 300);
    if (is_named(g->uses, "max-row") && dice_chance(d, 40))
        o.max_row = draw_number(d, size->nnz / 4);
    if (is_named(g->uses, "huge-rows")) o.huge_rows = 1 + dice_below(d, 4);
    if (is_named(g->uses, "per-row")) o.per_row = (double)dice_magnitude(d, 1, most) + 0.3;
    if (is_named(g->uses, "exponent")) o.exponent = 1.05 + 2 * dice_uniform(d);
    if (is_named(g->uses, "nonempty")) o.nonempty = dice_uniform(d);
    if (is_named(g->uses, "scale")) {
        o.scale = 1 + dice_below(d, (int64_t)log2((double)size->rows + 1)); /* 0 is the usual one */
        o.per_row = (double)dice_magnitude(d, 1, 1 + (size->nnz >> o.scale));
    }
    return o;
}

sweep_matrix sweep_generated(dice *d, const sweep_size *size, spmv_type type)
{
    sweep_matrix m;
    for (;;) { /* what makes no sense is drawn again, as is what is much too large */
        const spmv_generator *g = spmv_generator_at((int)dice_below(d, spmv_generator_count()));
        const spmv_generate_options o = draw_options(d, g, size, type);
        m.A = (spmv_matrix){.format = SPMV_CSR};
        if (strcmp(g->name, "dense") == 0 && (o.cols > 0 ? o.cols : o.rows) * o.rows > size->nnz)
            continue;
        if (spmv_generate(&m.A.csr, g->name, &o, NULL) != SPMV_SUCCESS) continue;
        if (m.A.csr.nnz <= 8 * size->nnz) {
            m.what = g->name;
            sweep_fill(d, &m.A);
            return m;
        }
        spmv_destroy(&m.A);
    }
}
