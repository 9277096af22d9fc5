/* convert.c -- from any format to any other, by way of CSR; to coordinates straight where rows are
 * many more than entries. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "core/convert/coo_sort.h"

#include <stdio.h>
#include <stdlib.h>

/* Two walks over the entries: count them by row, then let each take the next place in its row. */
typedef struct csr_scatter {
    spmv_csr *to;
    int64_t *next; /* [rows], where the next entry of a row goes */
    int64_t seen;  /* entries that the meter was not told of yet */
    spmv__meter *meter;
} csr_scatter;

static void tell(csr_scatter *s)
{
    spmv__meter_advance(s->meter, s->seen);
    s->seen = 0;
}

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    csr_scatter *s = user;
    (void)col, (void)val;
    s->to->row_ptr[row + 1]++;
    if (++s->seen == SPMV__PORTION) tell(s);
}

static void place_entry(void *user, int64_t row, int64_t col, const void *val)
{
    csr_scatter *s = user;
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
    csr_scatter s = {.to = &B.csr, .meter = meter};

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

/* ---- Straight to coordinates ---------------------------------------------------------------- */

typedef struct coo_listing {
    spmv_coo *to;
    int64_t next; /* place in it */
} coo_listing;

static void list_entry(void *user, int64_t row, int64_t col, const void *val)
{
    coo_listing *l = user;
    if (l->next == l->to->nnz) return; /* another program adds to the file that A is mapped from */
    const int64_t q = l->next++;
    l->to->row_idx[q] = row;
    l->to->col_idx[q] = col;
    spmv__copy_value(l->to->type, l->to->val, q, val, 0);
}

/* In the space of the entries: CSR on the way would take a pointer for each row. */
static spmv_status entries_to_coo(spmv_matrix *out, const spmv_matrix *A, spmv__meter *meter,
                                  spmv_error *err)
{
    spmv_status st;
    const spmv_head *h = &A->head;
    spmv_matrix B = spmv__blank(SPMV_COO, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    coo_listing l = {.to = &B.coo};

    SPMV__TRY(spmv__allocate(&B, err));
    spmv__format_of(A->format)->each(A, list_entry, &l);
    SPMV__TRY(spmv__coo_sort(&B.coo, SPMV_DUPLICATES_ERROR, NULL, meter, err));
done:
    if (st != SPMV_SUCCESS) spmv_destroy(&B);
    *out = B;
    return st;
}

/* ---- Straight to columns -------------------------------------------------------------------- */

static spmv_status entries_to_csc(spmv_matrix *out, const spmv_coo *A, spmv__meter *meter,
                                  spmv_error *err)
{
    spmv_matrix turned = {.format = SPMV_COO}, rows = {.format = SPMV_CSR};
    turned.coo = *A;
    turned.coo.rows = A->cols;
    turned.coo.cols = A->rows;
    turned.coo.row_idx = A->col_idx;
    turned.coo.col_idx = A->row_idx;
    const spmv_status st = entries_to_csr(&rows.csr, &turned, meter, err);
    if (st == SPMV_SUCCESS) *out = spmv__relabel(&rows);
    return st;
}

/* ---- Any to any ----------------------------------------------------------------------------- */

static spmv_status to_csr(spmv_csr *out, const spmv_matrix *A, spmv__meter *meter, spmv_error *err)
{
    const spmv__format *f = spmv__format_of(A->format);
    return (f->to_csr != NULL ? f->to_csr : entries_to_csr)(out, A, meter, err);
}

spmv_status spmv__check_layout(const spmv_convert_options *build, spmv_error *err)
{
    static const struct choice {
        const char *what;
        size_t offset;       /* in spmv_convert_options */
        int64_t least, most; /* 0 is allowed, too */
    } choices[] = {
        {"ELL width", offsetof(spmv_convert_options, ell_width), 0, INT64_MAX},
        {"HYB width", offsetof(spmv_convert_options, hyb_width), -1, INT64_MAX},
        {"SELL slice", offsetof(spmv_convert_options, sell_slice), 0, SPMV_SELL_SLICE},
        {"SELL window", offsetof(spmv_convert_options, sell_window), 0, INT32_MAX},
        {"BSR block", offsetof(spmv_convert_options, bsr_block), 2, SPMV_BSR_BLOCK},
    };
    if (build == NULL) return SPMV_SUCCESS;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const struct choice *c = &choices[i];
        int64_t value;
        memcpy(&value, (const char *)build + c->offset, sizeof value);
        if (value != 0 && (value < c->least || value > c->most))
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              c->most == INT64_MAX ? "%s is %lld, expected %lld or more"
                                                   : "%s is %lld, expected %lld..%lld",
                              c->what, (long long)value, (long long)c->least, (long long)c->most);
    }
    if (!(build->max_fill >= 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "fill limit is %g, expected 0 or more",
                          build->max_fill);
    return SPMV_SUCCESS;
}

/* Coordinates are sorted, and not brought together by way of CSR. */
static bool is_listed(const spmv_matrix *A, spmv_format format)
{
    return format == SPMV_COO && A->format != SPMV_CSR &&
           spmv__is_hypersparse(A->head.rows, A->head.nnz);
}

/* Bytes of the arrays as far as the head tells: those of a format with parameters are not known
 * before the rows are looked at.  -1 when no int64_t holds them. */
static int64_t known_bytes(const spmv_head *h, spmv_format format)
{
    const spmv__format *f = spmv__format_of(format);
    const spmv_matrix B = spmv__blank(format, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    int64_t total = 0;
    for (int i = 0; f->param_count == 0 && i < f->array_count; i++) {
        const int64_t bytes = spmv__array_bytes(&B, &f->arrays[i]);
        if (bytes < 0 || __builtin_add_overflow(total, bytes, &total)) return -1;
    }
    return total;
}

/* Coordinates become columns as their transpose becomes rows: in the space of the columns where CSR
 * on the way would take a pointer for each of many rows, or could not hold the columns. */
static bool is_turned(const spmv_matrix *A, spmv_format format)
{
    return A->format == SPMV_COO && format == SPMV_CSC &&
           (spmv__is_hypersparse(A->head.rows, A->head.nnz) || A->head.cols > INT32_MAX);
}

bool spmv__is_copy(const spmv_matrix *A, spmv_format format, const spmv_convert_options *build)
{
    if (A->format != format) return false;
    return build == NULL || spmv__format_of(format)->param_count == 0 ||
           (build->ell_width == 0 && build->hyb_width == 0 && build->sell_slice == 0 &&
            build->sell_window == 0 && build->bsr_block == 0 && build->max_fill == 0);
}

static bool goes_by_csr(const spmv_matrix *A, spmv_format format, const spmv_convert_options *build)
{
    return A->format != SPMV_CSR && !spmv__is_copy(A, format, build) && !is_listed(A, format) &&
           !is_turned(A, format);
}

int64_t spmv__convert_bytes(const spmv_matrix *A, spmv_format format,
                            const spmv_convert_options *build)
{
    const spmv_head *h = &A->head;
    const bool by_csr = goes_by_csr(A, format, build);
    const int64_t csr = by_csr ? known_bytes(h, SPMV_CSR) : 0;
    const int64_t result = by_csr && format == SPMV_CSR ? 0 : known_bytes(h, format);
    int64_t rows = 0, cols = 0, total;

    /* The places where the next entry of each row goes while CSR is made, then of each column for
     * CSC. */
    if (by_csr && !spmv__product(h->rows, sizeof(int64_t), &rows)) return INT64_MAX;
    if (format == SPMV_CSC && A->format != SPMV_CSC &&
        !spmv__product(h->cols, sizeof(int64_t), &cols))
        return INT64_MAX;
    if (csr < 0 || result < 0 || __builtin_add_overflow(result, cols, &total)) return INT64_MAX;
    if (rows > total) total = rows;
    return __builtin_add_overflow(csr, total, &total) ? INT64_MAX : total;
}

/* Refuse what cannot be held before anything is allocated. */
static spmv_status check_room(const spmv_matrix *A, spmv_format format,
                              const spmv_convert_options *build, spmv_error *err)
{
    const spmv_head *h = &A->head;
    const spmv_matrix B = spmv__blank(format, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    const spmv_matrix csr = spmv__blank(SPMV_CSR, h->type, h->symmetry, h->rows, h->cols, h->nnz);
    char what[64];
    spmv_status st;
    SPMV__TRY(spmv__check_head(&B, err));
    if (goes_by_csr(A, format, build)) SPMV__TRY(spmv__check_head(&csr, err));
    snprintf(what, sizeof what, "converting to %s", spmv_format_name(format));
    st = spmv_check_memory((double)spmv__convert_bytes(A, format, build), what, err);
done:
    return st;
}

spmv_status spmv__convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                          const spmv_convert_options *build, const char *stage, spmv_error *err)
{
    spmv_status st;
    spmv_matrix B = {.format = SPMV_COO}, middle = {.format = SPMV_CSR};
    const spmv__format *to = spmv__format_of(format);
    const int walks = (A->format != SPMV_CSR ? SPMV__TO_CSR_WALKS : 0) + to->walks;
    spmv__meter meter = spmv__meter_of(build);

    SPMV__TRY(spmv__check_layout(build, err));
    SPMV__TRY(check_room(A, format, build, err));
    spmv__meter_begin(&meter, stage, walks * A->head.nnz, sizeof(int32_t), A->head.type);
    if (spmv__is_copy(A, format, build)) {
        SPMV__TRY(spmv__copy(&B, A, err));
    } else if (A->format == SPMV_CSR) {
        SPMV__TRY(to->from_csr(&B, &A->csr, build, &meter, err));
    } else if (is_listed(A, format)) {
        SPMV__TRY(entries_to_coo(&B, A, &meter, err));
    } else if (is_turned(A, format)) {
        SPMV__TRY(entries_to_csc(&B, &A->coo, &meter, err));
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
                         const spmv_convert_options *build, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && out != A, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    if (spmv__format_of(format) == NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no matrix format %d",
                          (int)format);
    return spmv__convert(out, A, format, build, "converting", err);
}

spmv_status spmv__convert_move(spmv_matrix *out, spmv_matrix *A, spmv_format format,
                               const spmv_convert_options *build, spmv_error *err)
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
