/* row_classes.cuh -- which way each row of C is made, and lists of the rows of each way. */
#pragma once

#include "cuda/spgemm/ways.cuh"

namespace spmv
{

/* A class is a way and a size.  While entries are counted, the sizes of WORDED are those of the
 * ways in which a row is counted that has too many words: three HASHED and three RANKED. */
enum { MERGED, SORTED, HASHED, WORDED, RANKED, WAYS };
enum { WORDED_RANKED = COUNT_SIZES };
constexpr int CLASSES = WAYS * CLASS_SIZES, NO_CLASS = 255;

constexpr int LIST_BLOCK = 1024; /* threads, each of which takes a row */

/* Where one way ends and another begins. */
struct class_rules {
    int64_t merged;              /* products, at most, */
    int merged_rows;             /* and rows of B */
    int64_t near;                /* products, at most, of rows whose columns may not be known */
    int64_t sorted;              /* products, at most, */
    int sorted_lane;             /* and for each lane */
    int64_t of_warp;             /* products, at most */
    int64_t of_block;            /* products, from which a row needs a large block */
    int words[COUNT_SIZES];      /* that a warp can count with; 0: not on this GPU */
    int hashed;                  /* entries, at most */
    int word;                    /* see COUNTED_WORD */
    bool packed;                 /* B is */
    int64_t above_most;          /* see product_job; 0: no row is counted by words */
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
    const int32_t *span;
    const uint8_t *words;
    const int64_t *row_ptr; /* of C; NULL: entries have not been counted */
    int64_t begin, end;
    class_rules rules;
};

/* Rows of each class: first[c] .. first[c + 1] - 1 of the list. */
struct class_lists {
    const int32_t *row;
    int32_t first[CLASSES + 1];
    int64_t longest; /* row that is summed outside shared memory */
};

/* What kernels count. */
struct class_counts {
    int32_t rows[CLASSES];     /* of each class */
    int32_t taken[CLASSES];    /* places in the list */
    int32_t left[CLASS_SIZES]; /* rows with too many words, of each size */
    unsigned long long products;
    unsigned long long longest; /* entries of a row that is summed outside shared memory */
    unsigned long long words;   /* of B, see row_words.cuh */
    int32_t widest;             /* span of a row that is looked at */
};

class_rules rules_for(spmv_type C, bool counting, const product_job *job);

/* Look at all rows: their products, where their columns lie, and how many entries those rows have
 * that need no counting.  Waits for the GPU, and gives all that has been counted. */
spmv_status look_at_rows(const product_job *job, spmv__gpu_product *p, class_counts *counts,
                         spmv__gpu *gpu, spmv_error *err);

/* List the rows by their classes.  Waits for the GPU. */
spmv_status list_rows(class_lists *out, const row_numbers *rows, const block_limits *limits,
                      const spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err);

/* Enqueue finding the rows whose columns are those of the row before. */
spmv_status find_twin_rows(const csr_rows *of, uint8_t *twin, const product_job *job,
                           spmv_error *err);

/* Enqueue giving twins in A the count of the first of them, and its words. */
spmv_status count_twins(const product_job *job, int64_t *counts, uint8_t *words, spmv_error *err);

} // namespace spmv
