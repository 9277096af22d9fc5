/* worker.c -- what a thread works with, and how its sums leave it. */
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

spmv_status spmv__product_row_reserve(spmv__product_row *row, int64_t n, int parts, spmv_error *err)
{
    const int64_t least = row->n + n, room = least > 2 * row->room ? least : 2 * row->room;
    spmv__product_row more = {.n = row->n, .room = room};
    spmv_status st = SPMV_SUCCESS;
    if (least <= row->room) return st;
    SPMV__TRY(spmv__alloc(&more.col, room, sizeof *more.col, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&more.sum, room * parts, sizeof *more.sum, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&more.size, room, sizeof *more.size, "rows of the product", err));
    if (row->n > 0) {
        memcpy(more.col, row->col, (size_t)row->n * sizeof *more.col);
        memcpy(more.sum, row->sum, (size_t)(row->n * parts) * sizeof *more.sum);
    }
    spmv__product_row_free(row);
    *row = more;
    return st;
done:
    spmv__product_row_free(&more);
    return st;
}

void spmv__product_row_free(spmv__product_row *row)
{
    free(row->col);
    free(row->sum);
    free(row->size);
}

spmv_status spmv__spgemm_reserve_places(spmv__spgemm_worker *w, int64_t n, spmv_error *err)
{
    if (n <= w->places) return SPMV_SUCCESS;
    free(w->place);
    w->places = 0;
    const spmv_status st = spmv__alloc(&w->place, 2 * n, sizeof *w->place, "a row of A", err);
    if (st == SPMV_SUCCESS) w->places = 2 * n;
    return st;
}

void spmv__spgemm_worker_close(spmv__spgemm_worker *w)
{
    spmv__product_row_free(&w->row);
    free(w->key);
    free(w->spare);
    free(w->product);
    free(w->place);
    free(w->sum);
    free(w->marks);
    free(w->used);
    *w = (spmv__spgemm_worker){0};
}

void spmv__put_sums(spmv_type type, void *val, int64_t at, const double *sum, int64_t n)
{
    const int64_t parts = spmv__parts(type);
    if (n == 0) return; /* then there may be no sums at all */
    if (type == SPMV_F64 || type == SPMV_C128)
        memcpy((double *)val + parts * at, sum, (size_t)(parts * n) * sizeof *sum);
    if (type != SPMV_F32 && type != SPMV_C64) return;
    float *to = (float *)val + parts * at;
    for (int64_t k = 0; k < parts * n; k++) to[k] = (float)sum[k];
}
