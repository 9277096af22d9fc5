/* heat_map.c -- see heat_map.h. */
#include "cli/bench/plot/heat_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool heat_is_gpu(const char *device_kind)
{
    return strcmp(device_kind, "gpu") == 0;
}

/* ---- Speed-ups ------------------------------------------------------------------------------ */

static int count_times(const speed_results *s, const char *kernel)
{
    int n = 0;
    for (int i = 0; i < s->count; i++)
        n += bench_result_works(s->item[i]) && strcmp(s->item[i]->kernel, kernel) == 0;
    return n;
}

/* Each kernel is asked for once, at its first result. */
static void choose_bases(heat_map *m, const speed_results *s)
{
    int most[2] = {0, 0};
    for (int i = 0; i < m->columns; i++) {
        const heat_column *c = &m->column[i];
        const int gpu = heat_is_gpu(c->kind), n = count_times(s, c->kernel);
        bool csr = false;
        for (int k = 0; k < s->count && !csr; k++)
            csr = strcmp(s->item[k]->kernel, c->kernel) == 0 &&
                  strcmp(s->item[k]->format, "csr") == 0 && !bench_result_is_peer(s->item[k]);
        if (!csr || n <= most[gpu]) continue;
        most[gpu] = n;
        m->base[gpu] = c->kernel;
    }
}

double heat_speedup(const heat_map *m, const heat_row *row, const bench_result *r)
{
    const char *base = m->base[heat_is_gpu(r->device_kind)];
    double time = NAN;
    for (int i = 0; i < row->count; i++) {
        const bench_result *o = row->item[i];
        if (bench_result_works(o) && strcmp(o->device_kind, r->device_kind) == 0 &&
            (base == NULL || strcmp(o->kernel, base) == 0))
            time = fmin(time, o->warm.median); /* which leaves NaN out */
    }
    return bench_result_works(r) ? time / r->warm.median : NAN;
}

/* ---- Rows and columns ----------------------------------------------------------------------- */

static heat_column *column_of(heat_map *m, const bench_result *r)
{
    int i = 0;
    while (i < m->columns && strcmp(m->column[i].kernel, r->kernel) != 0) i++;
    if (i == m->columns)
        m->column[m->columns++] = (heat_column){.kernel = r->kernel, .kind = r->device_kind};
    return &m->column[i];
}

/* Begin the row of s->item[i]. */
static void add_row(heat_map *m, const speed_results *s, int i)
{
    heat_row *row = &m->row[m->rows];
    int k = 0;
    *row = (heat_row){.item = &s->item[i]};
    bench_result_point(s->all, s->item[i], row->point);
    while (k < m->rows && !bench_result_one_matrix(m->row[k].item[0], s->item[i])) k++;
    m->matrices += k == m->rows;
    m->rows++;
}

static void collect(heat_map *m, const speed_results *s)
{
    for (int i = 0; i < s->count; i++) {
        const bench_result *r = s->item[i];
        if (speed_starts_matrix(s, i)) add_row(m, s, i);
        m->row[m->rows - 1].count++;
        column_of(m, r);
        m->failed = m->failed || !bench_result_measured(r);
        m->wrong = m->wrong || (bench_result_measured(r) && !bench_result_works(r));
    }
    choose_bases(m, s);
    for (int i = 0; i < m->rows; i++)
        for (int k = 0; k < m->row[i].count; k++) {
            const double times = heat_speedup(m, &m->row[i], m->row[i].item[k]);
            heat_column *c = column_of(m, m->row[i].item[k]);
            m->alone = m->alone || (isnan(times) && bench_result_works(m->row[i].item[k]));
            if (isnan(times)) continue;
            m->row[i].best = fmax(m->row[i].best, times);
            c->logarithms += log(times);
            c->compared++;
        }
}

double heat_mean(const heat_column *c)
{
    return c->compared > 0 ? exp(c->logarithms / c->compared) : NAN;
}

static int by_best(const void *a, const void *b)
{
    const heat_row *x = a, *y = b;
    return x->best != y->best ? (x->best < y->best) - (x->best > y->best)
                              : strcmp(x->item[0]->matrix, y->item[0]->matrix);
}

/* Those of a kind of device stand together. */
static int by_mean(const void *a, const void *b)
{
    const heat_column *x = a, *y = b;
    const double s = fmax(heat_mean(x), 0), t = fmax(heat_mean(y), 0);
    if (heat_is_gpu(x->kind) != heat_is_gpu(y->kind))
        return heat_is_gpu(y->kind) - heat_is_gpu(x->kind);
    return s != t ? (s < t) - (s > t) : strcmp(x->kernel, y->kernel);
}

bool heat_map_make(heat_map *out, const speed_results *s)
{
    *out = (heat_map){.row = calloc((size_t)s->count + 1, sizeof *out->row),
                      .column = calloc((size_t)s->count + 1, sizeof *out->column)};
    if (out->row == NULL || out->column == NULL) return false;
    collect(out, s);
    qsort(out->row, (size_t)out->rows, sizeof *out->row, by_best);
    qsort(out->column, (size_t)out->columns, sizeof *out->column, by_mean);
    return true;
}

void heat_map_destroy(heat_map *m)
{
    free(m->row);
    free(m->column);
    *m = (heat_map){0};
}
