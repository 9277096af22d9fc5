/* convert.c -- from any format to any other, by way of CSR. */
#include "internal.h"

#include <stdlib.h>

void spmv__counts_to_offsets(int64_t *ptr, int64_t n)
{
    for (int64_t i = 0; i < n; i++) ptr[i + 1] += ptr[i];
}

/* Two walks over the entries: count them by row, then let each take the next place in its row. */
typedef struct scatter {
    spmv_csr *to;
    int64_t *next; /* [rows], where the next entry of a row goes */
} scatter;

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    (void)col, (void)val;
    ((scatter *)user)->to->row_ptr[row + 1]++;
}

static void place_entry(void *user, int64_t row, int64_t col, const void *val)
{
    scatter *s = user;
    int64_t q = s->next[row]++;
    s->to->col_idx[q] = (int32_t)col;
    spmv__copy_value(s->to->type, s->to->val, q, val, 0);
}

static spmv_status entries_to_csr(spmv_csr *out, const spmv_matrix *A, spmv_error *err)
{
    spmv_status st;
    const spmv_head *h = &A->head;
    const spmv__format *f = spmv__format_of(A->format);
    spmv_matrix B = spmv__blank(SPMV_CSR, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    scatter s = {&B.csr, NULL};

    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__alloc(&s.next, h->rows, sizeof *s.next, "row positions", err));
    f->each(A, count_entry, &s);
    spmv__counts_to_offsets(B.csr.row_ptr, h->rows);
    memcpy(s.next, B.csr.row_ptr, (size_t)h->rows * sizeof *s.next);
    f->each(A, place_entry, &s);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    free(s.next);
    *out = B.csr;
    return st;
}

spmv_status spmv__to_csr(spmv_csr *out, const spmv_matrix *A, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    return (f->to_csr != NULL ? f->to_csr : entries_to_csr)(out, A, err);
}

static spmv_status check_build(const spmv_build *build, spmv_error *err)
{
    if (build == NULL) return SPMV_SUCCESS;
    if (build->ell_width < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "ELL width is %lld, expected 0 or more",
                          (long long)build->ell_width);
    if (build->hyb_width < -1)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "HYB width is %lld, expected -1 or more", (long long)build->hyb_width);
    if (build->sell_slice < 0 || build->sell_slice > SPMV_SELL_SLICE)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "SELL slice is %lld, expected 0..%d",
                          (long long)build->sell_slice, SPMV_SELL_SLICE);
    if (build->sell_window < 0 || build->sell_window > INT32_MAX)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "SELL window is %lld, expected 0..%d",
                          (long long)build->sell_window, INT32_MAX);
    if (!(build->max_fill >= 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "fill limit is %g, expected 0 or more",
                          build->max_fill);
    return SPMV_SUCCESS;
}

spmv_status spmv_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                         const spmv_build *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL, err);
    spmv_status st;
    spmv_matrix B = {.format = SPMV_COO}, middle = {.format = SPMV_CSR};
    const spmv__format *from = spmv__format_of(A->format), *to = spmv__format_of(format);

    SPMV__REQUIRE(from != NULL && to != NULL, err);
    SPMV__TRY(check_build(build, err));
    if (from == to && (build == NULL || to->param_count == 0)) {
        SPMV__TRY(spmv__copy(&B, A, err));
    } else if (A->format == SPMV_CSR) {
        SPMV__TRY(to->from_csr(&B, &A->csr, build, err));
    } else if (format == SPMV_CSR) {
        B.format = SPMV_CSR;
        SPMV__TRY(spmv__to_csr(&B.csr, A, err));
    } else {
        SPMV__TRY(spmv__to_csr(&middle.csr, A, err));
        SPMV__TRY(to->from_csr(&B, &middle.csr, build, err));
    }
    *out = B;
done:
    spmv_destroy(&middle);
    return st;
}

spmv_status spmv__convert_move(spmv_matrix *out, spmv_matrix *A, spmv_format format,
                               spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (A->format == format) {
        *out = *A;
        memset(A, 0, sizeof *A);
    } else {
        st = spmv_convert(out, A, format, NULL, err);
        spmv_destroy(A);
    }
    return st;
}
