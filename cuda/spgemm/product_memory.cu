/* product_memory.cu -- see product_memory.cuh. */
#include "cuda/spgemm/product_memory.cuh"

#include <cstdlib>

namespace spmv
{

constexpr int64_t SCAN_BYTES = 1 << 18; /* that adding up counts takes, at most in most cases */

spmv_status take_rows(spmv__gpu_product *p, spmv_error *err)
{
    const int64_t of_row = (p->lent != NULL ? 3 : 4) * sizeof(uint32_t) + sizeof(uint8_t);
    const int64_t rows = p->A->shape.head.rows;
    const char *what = "rows of the product";
    spmv_status st = SPMV_SUCCESS;
    p->twin_a = p->twin_b = p->words = NULL;
    p->words_of_b = 0;
    p->summed.row = NULL;
    p->all_products = 0;
    if (*p->memory == NULL)
        SPMV__TRY(spmv__alloc((product_memory **)p->memory, 1, sizeof(product_memory), what, err));
    {
        arena *a = &memory_of(p)->rows;
        arena_restart(a, 7, rows * of_row + (int64_t)sizeof(product_counts) + SCAN_BYTES);
        p->row_counts = p->lent;
        if (p->lent == NULL) SPMV__TRY(arena_take(a, &p->row_counts, rows + 1, what, err));
        SPMV__TRY(arena_take(a, &p->products, rows, what, err));
        SPMV__TRY(arena_take(a, &p->spans, rows, what, err));
        SPMV__TRY(arena_take(a, &p->list, rows, what, err));
        SPMV__TRY(arena_take(a, &p->class_of_row, rows, what, err));
        st = arena_take(a, (char **)&p->counts, sizeof(product_counts), what, err);
    }
done:
    return st;
}

/* Returns the bytes of rows that are counted by words, of which n may be counted otherwise. */
static int64_t bytes_by_words(const spmv__gpu_product *p, int64_t n)
{
    return p->A->shape.head.rows * (int64_t)sizeof *p->words + n * (int64_t)sizeof *p->others;
}

/* All rows may turn out to be counted by words then. */
spmv_status take_closer(spmv__gpu_product *p, int64_t words, spmv_error *err)
{
    const int64_t of_a = p->A->shape.head.rows, of_b = p->B->shape.head.rows;
    const int64_t packed = words > 0 ? (of_b + 1 + words) * (int64_t)sizeof *p->word +
                                           words * (int64_t)sizeof *p->word_bits
                                     : 0;
    const char *what = "twin rows";
    arena *a = &memory_of(p)->closer;
    spmv_status st;
    arena_restart(a, 7, of_a + of_b + packed + bytes_by_words(p, of_a));
    SPMV__TRY(arena_take(a, &p->twin_b, of_b, what, err));
    p->twin_a = p->twin_b;
    if (p->A != p->B) SPMV__TRY(arena_take(a, &p->twin_a, of_a, what, err));
    if (words == 0) goto done;
    what = "words of columns";
    SPMV__TRY(arena_take(a, &p->word_ptr, of_b + 1, what, err));
    SPMV__TRY(arena_take(a, &p->word, words, what, err));
    SPMV__TRY(arena_take(a, &p->word_bits, words, what, err));
    p->words_of_b = words;
done:
    return st;
}

spmv_status take_counted_by_words(spmv__gpu_product *p, int64_t n, spmv__gpu *gpu, spmv_error *err)
{
    const int64_t rows = p->A->shape.head.rows;
    const char *what = "rows that are counted by words";
    arena *a = &memory_of(p)->closer;
    spmv_status st = SPMV_SUCCESS;
    if (n == 0) return st;
    if (p->twin_b == NULL) arena_restart(a, 2, bytes_by_words(p, n));
    SPMV__TRY(arena_take(a, &p->words, rows, what, err));
    SPMV__TRY(arena_take(a, &p->others, n, what, err));
    st = spmv__gpu_clear(gpu, p->words, rows, err);
done:
    return st;
}

spmv_status take_offsets(spmv__gpu_product *p, spmv_error *err)
{
    const int64_t rows = p->A->shape.head.rows;
    arena *a = &memory_of(p)->wide;
    spmv_status st = SPMV_SUCCESS;
    int64_t *wide = NULL;
    p->narrow = p->all_products <= spmv__product_limits_now.narrow;
    if (!p->narrow) {
        arena_restart(a, 1, (rows + 1) * (int64_t)sizeof *wide);
        SPMV__TRY(arena_take(a, &wide, rows + 1, "row offsets of the product", err));
    }
    p->row_ptr = p->narrow ? (void *)p->row_counts : wide;
done:
    return st;
}

} // namespace spmv

using namespace spmv;

void spmv__gpu_product_memory_free(void *memory)
{
    if (memory == NULL) return;
    arena_release(&((product_memory *)memory)->rows);
    arena_release(&((product_memory *)memory)->closer);
    arena_release(&((product_memory *)memory)->wide);
    free(memory);
}
