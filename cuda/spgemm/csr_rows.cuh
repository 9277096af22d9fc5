/* csr_rows.cuh -- A, B and C as kernels see them, and one entry of A times one of B. */
#pragma once

#include "cuda/device/warp.cuh"
#include "cuda/spgemm/gpu_product.h"

namespace spmv
{

/* Compressed rows.  Offsets are of 64 bits unless they are narrow. */
struct csr_rows {
    const void *row_ptr;
    const int32_t *col;
    const void *val;
    int64_t rows, cols, nnz;
    spmv_type type;
    bool narrow;
    const uint8_t *twin; /* [rows] whether the columns of a row are those of the row before; NULL
                            where rows have so few products that it would not pay to know */
    spmv_type left;      /* of B: the type of A, whose values are multiplied with these */
};

inline csr_rows rows_of(const spmv_gpu_matrix *M)
{
    const spmv_csr *A = &M->shape.csr;
    return {A->row_ptr, A->col_idx, A->val,    A->rows, A->cols,
            A->nnz,     A->type,    M->narrow, NULL,    A->type};
}

/* Returns B, whose values are multiplied with those of A. */
inline csr_rows rows_beside(const csr_rows &A, const spmv_gpu_matrix *M)
{
    csr_rows B = rows_of(M);
    B.left = A.type;
    return B;
}

/* Returns how many lanes look at a row together: 8, or all of a warp where rows are long. */
inline int lanes_for_rows(const csr_rows &A)
{
    return A.nnz >= 128 * A.rows ? WARP : 8;
}

__device__ inline int64_t offset(const csr_rows &A, int64_t i)
{
    return A.narrow ? (int64_t)__ldg((const int32_t *)A.row_ptr + i)
                    : __ldg((const int64_t *)A.row_ptr + i);
}

/* Says whether row i of A is a twin of the row before.  Twins are told apart at every WARP rows, so
 * that nobody has far to go to the first of them. */
__device__ inline bool is_twin(const csr_rows &A, int64_t i)
{
    return A.twin != NULL && i % WARP != 0 && A.twin[i];
}

/* Returns the first of the twins of row i, from row `begin` on. */
__device__ inline int64_t first_twin(const csr_rows &A, int64_t i, int64_t begin)
{
    while (i > begin && is_twin(A, i)) i--;
    return i;
}

/* Says whether entry p of A meets the twin in B of the row that the entry before meets. */
__device__ inline bool meets_twin(const csr_rows &A, const csr_rows &B, int64_t p)
{
    return B.twin != NULL && __ldg(A.col + p - 1) + 1 == __ldg(A.col + p) &&
           __ldg(B.twin + __ldg(A.col + p));
}

/* The row offsets of C, of 64 bits unless they are narrow. */
struct row_offsets {
    const void *of_row; /* [rows + 1] int32_t or int64_t */
    bool narrow;
};

__device__ inline int64_t offset(const row_offsets &offsets, int64_t i)
{
    return offsets.narrow ? (int64_t)((const int32_t *)offsets.of_row)[i]
                          : ((const int64_t *)offsets.of_row)[i];
}

/* Returns the entries of row i of C. */
__device__ inline int64_t entries_of(const row_offsets &offsets, int64_t i)
{
    return offset(offsets, i + 1) - offset(offsets, i);
}

/* Returns those of C, once they are known. */
inline row_offsets offsets_of(const spmv__gpu_product *p)
{
    return {p->row_ptr, p->narrow};
}

/* Where the columns of each row of C lie, if it has any: in units of so many columns that 16 bits
 * hold the number of one.  Most rows have so few entries that more would take much memory. */
constexpr int SPAN_BITS = 16;
struct row_spans {
    uint32_t *of_row; /* [rows] the first unit, and the last one in the upper half */
    int unit_bits;    /* columns of a unit are 1 << unit_bits */
};

/* Columns low .. low + span, which may be a few more than the matrix has. */
struct column_span {
    int32_t low, span;
};

/* Returns the columns of all units from the first to the last one. */
__device__ inline column_span span_of_units(uint32_t units, int unit_bits)
{
    const uint32_t low = (units & ((1u << SPAN_BITS) - 1)) << unit_bits;
    return {(int32_t)low, (int32_t)((((units >> SPAN_BITS) + 1) << unit_bits) - 1 - low)};
}

__device__ inline column_span span_of(const row_spans &spans, int64_t i)
{
    return span_of_units(spans.of_row[i], spans.unit_bits);
}

/* Keeps that row i lies in columns first .. last.  Returns what it is said to lie in then. */
__device__ inline column_span keep_span(const row_spans &spans, int64_t i, int32_t first,
                                        int32_t last)
{
    const uint32_t low = (uint32_t)first >> spans.unit_bits;
    const uint32_t units = (uint32_t)last >> spans.unit_bits << SPAN_BITS | low;
    spans.of_row[i] = units;
    return span_of_units(units, spans.unit_bits);
}

/* Rows of C that are summed, and where they go: entry k lies at k - first. */
struct product_rows {
    row_offsets offsets;
    int32_t *col;
    void *val;
    int64_t first, end; /* end: behind the last row */
    spmv_type type;
    const uint32_t *products; /* see spmv__gpu_product */
    row_spans spans;
    const uint8_t *words;
};

/* Rows of one class: n of them, or so many as `count` says on the GPU, n at most. */
struct row_list {
    const int32_t *row;
    int64_t n;
    const int32_t *count;
};

__device__ inline int64_t length(const row_list &list)
{
    return list.count != NULL ? *list.count : list.n;
}

/* Returns the blocks for a list, `each` rows to one: kernels go on with what is behind them, of
 * which there may be much only where the length is not known. */
inline unsigned blocks_for_list(const row_list &list, int each)
{
    return min(blocks_for(list.n, each), list.count != NULL ? 1u << 14 : UINT32_MAX);
}

/* Returns where the entries of row i go. */
__device__ inline int64_t first_entry(const product_rows &C, int64_t i)
{
    return offset(C.offsets, i) - C.first;
}

/* ---- Kinds of products ----------------------------------------------------------------------- */

/* Returns a value of a real type that is known when the kernel runs. */
__device__ inline double real_value(const csr_rows &A, int64_t p)
{
    if (A.type == SPMV_F64) return __ldg((const double *)A.val + p);
    return A.type == SPMV_F32 ? (double)__ldg((const float *)A.val + p) : 1.0;
}

__device__ inline bool is_complex(spmv_type type)
{
    return type == SPMV_C64 || type == SPMV_C128;
}

__device__ inline c128 complex_value(const csr_rows &A, int64_t p)
{
    if (A.type == SPMV_C128) return load_readonly((const c128 *)A.val + p);
    if (A.type == SPMV_C64) return widen(load_readonly((const c64 *)A.val + p));
    return {real_value(A, p), 0.0};
}

/* A kind loads values of A and of B, `left` and `right`, and multiplies them. */

/* Sums are real, and the type of B is TYPE. */
template <spmv_type TYPE>
struct real_product {
    using sum = double;
    using factor = typename number<TYPE>::type; /* of B */
    static constexpr bool PLACES = false;
    static __device__ double left(const csr_rows &A, int64_t p) { return real_value(A, p); }
    static __device__ factor right(const csr_rows &B, int64_t q)
    {
        if constexpr (TYPE == SPMV_PATTERN)
            return {};
        else
            return load_readonly((const factor *)B.val + q);
    }
    static __device__ double times(double a, factor b, const csr_rows &)
    {
        if constexpr (TYPE == SPMV_PATTERN)
            return a;
        else
            return a * widen(b);
    }
};

/* Sums are complex.  A factor of a real type scales both parts of the other one. */
struct complex_product {
    using sum = c128;
    using factor = c128;
    static constexpr bool PLACES = false;
    static __device__ c128 left(const csr_rows &A, int64_t p) { return complex_value(A, p); }
    static __device__ c128 right(const csr_rows &B, int64_t q) { return complex_value(B, q); }
    static __device__ c128 times(c128 a, c128 b, const csr_rows &B)
    {
        if (!is_complex(B.type)) return b.re * a;
        return is_complex(B.left) ? a * b : a.re * b;
    }
};

/* There are no sums: only places are wanted. */
struct no_sum {
};
__device__ inline void operator+=(no_sum &, no_sum) {}
struct places_only {
    using sum = no_sum;
    using factor = no_sum;
    static constexpr bool PLACES = true;
    static __device__ no_sum left(const csr_rows &, int64_t) { return {}; }
    static __device__ no_sum right(const csr_rows &, int64_t) { return {}; }
    static __device__ no_sum times(no_sum, no_sum, const csr_rows &) { return {}; }
};

/* Returns the product of a value of A with entry q of B. */
template <class K>
__device__ inline typename K::sum product(typename K::sum left, const csr_rows &B, int64_t q)
{
    return K::times(left, K::right(B, q), B);
}

/* Calls enqueue(kind) with the kind of a product. */
template <class F>
void by_product(spmv_type B, spmv_type C, F enqueue)
{
    if (C == SPMV_PATTERN)
        enqueue(places_only());
    else if (C == SPMV_C64 || C == SPMV_C128)
        enqueue(complex_product());
    else if (B == SPMV_PATTERN)
        enqueue(real_product<SPMV_PATTERN>());
    else if (B == SPMV_F32)
        enqueue(real_product<SPMV_F32>());
    else
        enqueue(real_product<SPMV_F64>());
}

/* Bytes of a sum in shared memory. */
template <class K>
__host__ __device__ constexpr int sum_bytes()
{
    return K::PLACES ? 0 : (int)sizeof(typename K::sum);
}

__device__ inline void put_sum(const product_rows &C, int64_t at, double sum)
{
    if (C.type == SPMV_F64)
        ((double *)C.val)[at] = sum;
    else
        ((float *)C.val)[at] = (float)sum;
}
__device__ inline void put_sum(const product_rows &C, int64_t at, c128 sum)
{
    if (C.type == SPMV_C128)
        ((c128 *)C.val)[at] = sum;
    else
        store((c64 *)C.val + at, sum);
}
__device__ inline void put_sum(const product_rows &, int64_t, no_sum) {}

} // namespace spmv
