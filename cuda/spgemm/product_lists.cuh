/* product_lists.cuh -- lists of the products of each entry of C, as kernels see them. */
#pragma once

#include "cuda/spgemm/row_classes.cuh"

/* Numbers of an entry of A and of one of B. */
struct alignas(8) listed_product {
    int32_t a, b;
};

/* Where an entry of C is. */
struct alignas(8) listed_place {
    int32_t row, offset; /* in the row */
};

struct spmv__product_lists {
    bool twins;       /* up to TWINS_LISTED rows of A share lists */
    int32_t entries;  /* of C with lists: all, but for the others of those rows */
    int32_t products; /* in all lists */
    int32_t *start;   /* [entries + 1], owned as all arrays: the first product of each list */
    listed_product *product;
    listed_place *place; /* [entries] with twins; else list k is that of entry k */
};

namespace spmv
{
constexpr int TWINS_LISTED = 4;
} // namespace spmv
