/* mtx_place.c -- the second look at a block of lines: every entry goes to its place. */
#include "mtx_csr.h"
#include "mtx_line.h"

/* Where entries go, in few enough words for registers. */
typedef struct places {
    int64_t *next; /* [buckets] */
    int64_t end;   /* of all */
    int shift;
    uint16_t *low;
    int32_t *col;
    void *val;
} places;

/* False: there is no such place, as the file has changed since it was counted. */
SPMV__INLINE bool put(const places *to, spmv_type type, uint64_t row, uint64_t col,
                      spmv_scalar value)
{
    const int64_t p = to->next[row >> to->shift]++;
    if (p >= to->end) return false;
    to->low[p] = (uint16_t)(row & (((uint64_t)1 << to->shift) - 1));
    to->col[p] = (int32_t)col;
    if (to->val != NULL) spmv__set_scalar(type, to->val, p, value);
    return true;
}

SPMV__INLINE bool put_entry(const spmv__mtx_job *job, const places *to, spmv_type type,
                            uint64_t row, uint64_t col, spmv_scalar value)
{
    return put(to, type, row, col, value) &&
           (!job->both || row == col ||
            put(to, type, col, row, spmv__mirrored(job->to.images, value)));
}

static bool place_single(const spmv__mtx_job *job, const places *to, spmv__mtx_single *single,
                         spmv__mtx_tally *tally)
{
    if (!spmv__mtx_read_single(single, tally)) return false;
    if (single->entries.n == 1 && !put_entry(job, to, job->to.A.type, (uint64_t)single->row,
                                             (uint64_t)single->col, single->val))
        tally->verdict = SPMV__MTX_ODD;
    return tally->verdict == SPMV__MTX_READ;
}

static void place_lines(const spmv__mtx_job *job, const places *to, spmv__mtx_tally *tally)
{
    const spmv__mtx_header *header = &job->reader->header;
    const unsigned char *all = job->reader->text.end, *end = tally->text.end, *p = tally->text.p;
    const spmv__mtx_field field = header->field;
    spmv__mtx_single single;
    spmv__line line = {0};
    spmv__mtx_single_init(&single, job->reader);
    /* Before the first line there is the header, which is longer than SPMV__LINE_BEHIND. */
    while (p < end) {
        const unsigned char *next = NULL;
        if (all - p > SPMV__LINE_AHEAD) next = spmv__mtx_line(p, field, &line);
        if (next != NULL && spmv__mtx_takes(header, line.row - job->base, line.col - job->base)) {
            if (!put_entry(job, to, SPMV_F64, line.row - job->base, line.col - job->base,
                           spmv__number(line.val, 0))) {
                tally->verdict = SPMV__MTX_ODD;
                return;
            }
            p = next;
        } else {
            tally->text.p = p;
            if (!place_single(job, to, &single, tally)) return;
            p = tally->text.p;
        }
    }
}

void spmv__mtx_place_block(const spmv__mtx_job *job, int64_t b, int64_t *next,
                           spmv__mtx_tally *tally)
{
    const int64_t buckets = job->to.buckets, *place = job->place + b * buckets;
    const places to = {next,        job->to.A.nnz,     job->to.shift,
                       job->to.low, job->to.A.col_idx, job->to.A.val};
    memcpy(next, place, (size_t)buckets * sizeof *next);
    *tally = (spmv__mtx_tally){.text = {.p = job->cut[b], .end = job->cut[b + 1], .comments = "%"}};
    place_lines(job, &to, tally);
    if (memcmp(next, place + buckets, (size_t)buckets * sizeof *next) != 0 &&
        tally->verdict == SPMV__MTX_READ)
        tally->verdict = SPMV__MTX_ODD;
}
