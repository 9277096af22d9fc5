/* simple_product.h -- the product by SPMV_PARTITION_NONZEROS: x to all, sums of y back. */
#pragma once

#include "core/comm/transport.h"
#include "core/multiply/multiply.h"

typedef struct spmv__simple_product {
    spmv_comm *comm;
    spmv_csr A;     /* this rank's share */
    int64_t cols;   /* of x, which all ranks have whole */
    void *x;        /* rank 0: as the caller wrote it */
    spmv_type type; /* of x and y */
    int threads;
    double *sum; /* the rows of the share */
    int64_t first_row;
    /* On rank 0: the rows of y, and those of all shares, one after the other. */
    int64_t rows, *first_rows, *begin;
    double *total, *sums;
    spmv__exchange exchange;
    double exchange_s; /* of the last product */
} spmv__simple_product;

/* All ranks together; the entries of the part go over to the product.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__simple_create(spmv__simple_product *out, spmv_comm *comm, spmv_part *part,
                                spmv_type type, int threads, spmv_error *err);
void spmv__simple_destroy(spmv__simple_product *p);

/* y is written on rank 0. */
void spmv__simple_apply(spmv__simple_product *p, spmv_scalar alpha, spmv_scalar beta, void *y);
spmv_part_costs spmv__simple_costs(const spmv__simple_product *p);
