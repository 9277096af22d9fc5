/* convert.c -- from any format to any other, by way of CSR. */
#include "meter.h"

#include <stdlib.h>

void spmv__counts_to_offsets(int64_t *ptr, int64_t n)
{
    for (int64_t i = 0; i < n; i++) ptr[i + 1] += ptr[i];
}

/* Two walks over the entries: count them by row, then let each take the next place in its row. */
typedef struct scatter {
    spmv_csr *to;
    int64_t *next; /* [rows], where the next entry of a row goes */
    int64_t seen;  /* entries that the meter was not told of yet */
    spmv__meter *meter;
} scatter;

static void tell(scatter *s)
{
    spmv__meter_advance(s->meter, s->seen);
    s->seen = 0;
}

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    scatter *s = user;
    (void)col, (void)val;
    s->to->row_ptr[row + 1]++;
    if (++s->seen == SPMV__PORTION) tell(s);
}

static void place_entry(void *user, int64_t row, int64_t col, const void *val)
{
    scatter *s = user;
    int64_t q = s->next[row]++;
    s->to->col_idx[q] = (int32_t)col;
    spmv__copy_value(s->to->type, s->to->val, q, val, 0);
    if (++s->seen == SPMV__PORTION) tell(s);
}

static spmv_status entries_to_csr(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter,
                                  spmv_error *err)
{
    spmv_status st;
    const spmv_head *h = &A->head;
    const spmv__format *f = spmv__format_of(A->format);
    spmv_matrix B = spmv__blank(SPMV_CSR, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    scatter s = {.to = &B.csr, .meter = meter};

    SPMV__TRY(spmv__allocate(&B, err));
    SPMV__TRY(spmv__alloc(&s.next, h->rows, sizeof *s.next, "row positions", err));
    f->each(A, count_entry, &s);
    tell(&s);
    spmv__counts_to_offsets(B.csr.row_ptr, h->rows);
    memcpy(s.next, B.csr.row_ptr, (size_t)h->rows * sizeof *s.next);
    f->each(A, place_entry, &s);
    tell(&s);
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    free(s.next);
    *out = B.csr;
    return st;
}

static spmv_status to_csr(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    return (f->to_csr != NULL ? f->to_csr : entries_to_csr)(out, A, meter, err);
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

spmv_status spmv__convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                          const spmv_build *build, const char *stage, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B = {.format = SPMV_COO}, middle = {.format = SPMV_CSR};
    const spmv__format *from = spmv__format_of(A->format), *to = spmv__format_of(format);
    const int walks = (A->format != SPMV_CSR ? SPMV__TO_CSR_WALKS : 0) + to->walks;
    spmv__meter meter = spmv__meter_of(build);

    SPMV__TRY(check_build(build, err));
    spmv__meter_begin(&meter, stage, walks * A->head.nnz, sizeof(int32_t), A->head.type);
    if (from == to && (build == NULL || to->param_count == 0)) {
        SPMV__TRY(spmv__copy(&B, A, err));
    } else if (A->format == SPMV_CSR) {
        SPMV__TRY(to->from_csr(&B, &A->csr, build, &meter, err));
    } else if (format == SPMV_CSR) {
        B.format = SPMV_CSR;
        SPMV__TRY(to_csr(&B.csr, A, &meter, err));
    } else {
        SPMV__TRY(to_csr(&middle.csr, A, &meter, err));
        SPMV__TRY(to->from_csr(&B, &middle.csr, build, &meter, err));
    }
    *out = B;
done:
    spmv_destroy(&middle);
    return st;
}

spmv_status spmv_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                         const spmv_build *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL, err);
    SPMV__REQUIRE(spmv__format_of(A->format) != NULL && spmv__format_of(format) != NULL, err);
    return spmv__convert(out, A, format, build, "converting", err);
}

spmv_status spmv__convert_move(spmv_matrix *out, spmv_matrix *A, spmv_format format,
                               const spmv_build *build, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (A->format == format) {
        *out = *A;
        memset(A, 0, sizeof *A);
    } else {
        st = spmv_convert(out, A, format, build, err);
        spmv_destroy(A);
    }
    return st;
}
