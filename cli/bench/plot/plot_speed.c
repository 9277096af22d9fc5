/* plot_speed.c -- which matrices are small and which are large, and how either are drawn. */
#include "cli/bench/plot/plot.h"
#include "cli/bench/plot/speed.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 12,        /* matrices in bars, at most, */
    MOST_BARS = 120, /* and bars of more than one */
    CACHE = 32 << 20 /* where the record does not say */
};

static bool fits_cache(const bench_result *r)
{
    const int64_t cache = report_integer_at(r->record, "device.cache_bytes");
    return r->useful_bytes <= (double)(cache > 0 ? cache : CACHE);
}

/* A result that has a time, of the matrix and on the kind of device of this one; NULL: none has. */
static const bench_result *measured_like(const bench_results *all, const bench_result *r)
{
    if (bench_result_measured(r)) return r;
    for (int i = 0; i < all->count; i++)
        if (bench_result_measured(&all->item[i]) &&
            strcmp(all->item[i].device_kind, r->device_kind) == 0 &&
            bench_result_same_matrix(&all->item[i], r))
            return &all->item[i];
    return NULL;
}

/* The results of the group of result i. */
static void collect_matrix(speed_results *s, int i, bool small)
{
    const bench_results *all = s->all;
    const int before = s->count;
    for (int k = i; k < all->count; k++) {
        if (!bench_is_in_group(all, i, k)) continue;
        const bench_result *known = measured_like(all, &all->item[k]);
        if (known != NULL && fits_cache(known) == small) s->item[s->count++] = &all->item[k];
    }
    s->matrices += s->count > before;
}

static bool draw(const bench_results *all, bool small, FILE *out)
{
    speed_results s = {.all = all,
                       .item = calloc((size_t)all->count + 1, sizeof *s.item),
                       .title = small ? "Small matrices: they fit the last-level cache"
                                      : "Large matrices: they are read from memory"};
    bool whole = s.item != NULL;
    for (int i = 0; i < all->count && whole; i++) collect_matrix(&s, i, small);
    if (s.matrices > FEW || (s.matrices > 1 && s.count > MOST_BARS))
        whole = speed_draw_heat(&s, out);
    else if (s.matrices > 0)
        speed_draw_bars(&s, out);
    free(s.item);
    return whole;
}

bool plot_small(const bench_results *all, FILE *out)
{
    return draw(all, true, out);
}

bool plot_large(const bench_results *all, FILE *out)
{
    return draw(all, false, out);
}
