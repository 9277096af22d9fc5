/* few_row.c -- a row of C of few products.
 *
 * The place of a product is the number of products with smaller columns, so that all that fall on
 * one column have the same place, and places ascend with the columns; those without a product are
 * closed up.  Each is compared with each, since a branch would be guessed wrong more often than
 * not. */
#include "core/spgemm/spgemm.h"

enum { FEW = SPMV__FEW_PRODUCTS, LANES = 4 /* which are compared together */ };

typedef int32_t lanes_of_row __attribute__((vector_size(LANES * sizeof(int32_t))));

/* place[i] = how many of n columns are smaller than column i.  A comparison that is true is -1. */
static inline void find_places(int32_t place[FEW], const int32_t col[FEW], int64_t n)
{
    for (int64_t i = 0; i < n; i += 2 * LANES) {
        lanes_of_row low, high, low_places = {0}, high_places = {0};
        memcpy(&low, col + i, sizeof low);
        memcpy(&high, col + i + LANES, sizeof high);
        for (int64_t k = 0; k < n; k++) {
            low_places -= low > col[k];
            high_places -= high > col[k];
        }
        memcpy(place + i, &low_places, sizeof low);
        memcpy(place + i + LANES, &high_places, sizeof high);
    }
}

/* Adds up n products in their order.  Writes one entry more than the row has. */
SPMV__INLINE void add_up(spmv__product_row *row, const int32_t col[FEW], const double *product,
                         int64_t n, int parts)
{
    int32_t place[FEW], found[FEW];
    double sum[2 * FEW];
    int64_t made = row->n;
    find_places(place, col, n);
    memset(found, -1, sizeof found);
    for (int64_t i = 0; i < parts * n; i += LANES) memset(sum + i, 0, LANES * sizeof *sum);
    for (int64_t i = 0; i < n; i++) {
        found[place[i]] = col[i];
        for (int k = 0; k < parts; k++) sum[parts * place[i] + k] += product[parts * i + k];
    }
    for (int64_t i = 0; i < n; i++) {
        row->col[made] = found[i];
        for (int k = 0; k < parts; k++) row->sum[parts * made + k] = sum[parts * i + k];
        made += found[i] >= 0;
    }
    row->n = made;
}

void spmv__spgemm_few_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                          const spmv__spgemm_row *r)
{
    int32_t col[FEW] = {0};
    double product[2 * FEW];
    spmv__spgemm_list_products(job, r, col, product);
    if (job->type == SPMV_PATTERN)
        add_up(&w->row, col, product, r->products, 0);
    else if (!spmv_type_is_complex(job->type))
        add_up(&w->row, col, product, r->products, 1);
    else
        add_up(&w->row, col, product, r->products, 2);
}

/* One entry of A: its products are the row. */
void spmv__spgemm_scaled_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                             const spmv__spgemm_row *r)
{
    spmv__product_row *row = &w->row;
    const int64_t parts = spmv__parts(job->type);
    double *sum = row->sum + parts * row->n;
    spmv__spgemm_list_products(job, r, row->col + row->n, sum);
    for (int64_t k = 0; k < parts * r->products; k++) sum[k] += 0; /* -0 becomes 0 */
    row->n += r->products;
}
