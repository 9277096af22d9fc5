/* row_words.cuh -- the columns of B as words: 32 neighbouring columns, with a bit for each entry.
 *
 * Where columns come in clusters, there are far fewer words than entries: what rows of C have can
 * be marked 32 columns at a time.  The words of a row are the entries of compressed rows, too:
 * `col` has the number of each word, and `val` its bits. */
#pragma once

#include "cuda/device/arena.cuh"
#include "cuda/spgemm/row_classes.cuh"

namespace spmv
{

constexpr int WORD = 32;          /* columns */
constexpr int PACKED_PART = 2;    /* entries for each word, at least, for words to pay */
constexpr int PACKED_LENGTH = 12; /* entries of a row in the mean, for which words are counted */

/* Returns whether the rows of B are long enough for words to be counted. */
inline bool may_pack(const csr_rows &B)
{
    return B.nnz > 0 && B.nnz >= PACKED_LENGTH * B.rows && B.nnz <= INT32_MAX;
}

/* Enqueue adding the words of B, or up to a word for each row less, to counts->words. */
spmv_status look_at_words(const product_job *job, product_counts *counts, spmv_error *err);

/* Enqueue writing the words of B, for which words->col and words->val have room; words->row_ptr
 * becomes their offsets. */
spmv_status write_row_words(const csr_rows *words, const product_job *job, arena *scratch,
                            spmv_error *err);

/* Columns number * WORD .. number * WORD + WORD - 1. */
struct column_word {
    uint32_t number;
    uint32_t bits;
};

/* Returns the word of entry q of compressed rows of words, or of rows of columns. */
template <bool PACKED>
__device__ inline column_word word_at(const csr_rows &of, int64_t q)
{
    const uint32_t c = (uint32_t)__ldg(of.col + q);
    if (PACKED) return {c, __ldg((const uint32_t *)of.val + q)};
    return {c / WORD, 1u << c % WORD};
}

} // namespace spmv
