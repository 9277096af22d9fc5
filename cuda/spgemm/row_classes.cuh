/* row_classes.cuh -- which way each row of C is made, and lists of the rows of each way. */
#pragma once

#include "cuda/spgemm/product_limits.h"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

/* A class is a way and a size.  While entries are counted, the sizes of WORDED are those of the
 * ways in which a row is counted that has too many words: three HASHED and three RANKED. */
enum { MERGED, SORTED, HASHED, WORDED, RANKED, SPREAD, WAYS };
enum { WORDED_RANKED = COUNT_SIZES };
constexpr int CLASSES = WAYS * CLASS_SIZES, NO_CLASS = 255;
static_assert(CLASSES == SPMV__ROW_CLASSES);
using class_lists = spmv__class_lists;

constexpr int FIND_BLOCK = 256, LIST_BLOCK = 1024; /* threads, each of which takes a row */

/* Where one way ends and another begins.  Some of it depends on how many products there are in all,
 * see rules_for_products. */
struct class_rules {
    spmv__product_limits limits;
    bool few;                    /* products: one way for many rows, so that few kernels start */
    int64_t merged;              /* products, at most, */
    int merged_rows;             /* and rows of B */
    int64_t near;                /* products, at most, of rows whose columns may not be known */
    int64_t sorted;              /* products, at most, */
    int sorted_lane;             /* and for each lane */
    int64_t of_warp;             /* products, at most */
    int64_t of_block;            /* products, from which a row needs a large block, */
    int64_t spread;              /* and from which many, for each window */
    int processors;              /* of the GPU */
    int words[COUNT_SIZES];      /* that a warp can count with; 0: not on this GPU */
    int hashed;                  /* entries, at most */
    int word;                    /* see COUNTED_WORD */
    bool packed;                 /* B is */
    int64_t above_most;          /* words of words of a row, at most, see word_rows.cu */
    int64_t worded[WORD_SIZES];  /* bytes for words and sums; 0: not on this GPU */
    int64_t ranked[CLASS_SIZES]; /* bytes for bits and sums, */
    int64_t searched;            /* and of a large block that searches */
    int large;                   /* threads of it */
    int64_t sum;                 /* bytes of a sum */
};

/* What is known of rows begin .. end - 1. */
struct row_numbers {
    csr_rows A;
    const uint32_t *products;
    row_spans spans;
    const uint8_t *words;
    bool counted; /* entries have been, and where C begins each row is known */
    row_offsets offsets;
    int64_t begin, end;
    class_rules rules;
};

/* What is counted when rows are listed. */
struct list_counts {
    int32_t rows[CLASSES];      /* of each class */
    int32_t taken[CLASSES];     /* places in the list */
    int32_t left[CLASS_SIZES];  /* rows with too many words, of each size */
    int32_t loads;              /* see spmv_gpu_matrix, of C */
    unsigned long long longest; /* entries of a row that is summed outside shared memory */
    unsigned long long spread_entries, spread_products; /* see spmv__class_lists */
    int64_t nnz; /* of all rows, once they have been counted */
};

/* What kernels count: all begins as 0. */
struct product_counts {
    unsigned long long products;
    unsigned long long words; /* of B, see row_words.cuh */
    int32_t widest;           /* span of a row that is looked at */
    list_counts counted, summed;
};

spmv_status rules_for(class_rules *out, spmv_type C, bool counting, const product_job *job,
                      spmv_error *err);

/* Enqueue a look at all rows: their products, where their columns lie, and how many entries those
 * rows have that need no counting. */
spmv_status look_at_rows(const product_job *job, const spmv__gpu_product *p, product_counts *counts,
                         spmv_error *err);

/* Enqueue listing the rows by their classes, when `counts->products` is known; `lists` is one of
 * the two that *counts has. */
spmv_status list_rows(const row_numbers *rows, const product_job *job, const spmv__gpu_product *p,
                      const product_counts *counts, list_counts *lists, spmv_error *err);

/* Returns the lists of rows that have been counted so. */
class_lists lists_of(const list_counts &counts, const spmv__gpu_product *p);

/* Enqueue finding the rows whose columns are those of the row before. */
spmv_status find_twin_rows(const csr_rows *of, uint8_t *twin, const product_job *job,
                           spmv_error *err);

/* Enqueue giving twins in A the count of the first of them, and its words. */
spmv_status count_twins(const product_job *job, uint32_t *counts, uint8_t *words, spmv_error *err);

} // namespace spmv
