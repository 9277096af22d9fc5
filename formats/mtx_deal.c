/* mtx_deal.c -- the lines of a block, each entry dealt into its bucket. */
#include "mtx_csr.h"
#include "mtx_line.h"

/* The processor reads ahead within a page, and this is further. */
enum { FETCHED_AHEAD = 1 << 11 };

/* One entry, read the careful way. */
typedef struct single {
    spmv__mtx_entries entries; /* n is 1, or 0 when it is not to be stored */
    int64_t row, col;
    spmv_scalar val;
} single;

static void single_init(single *one, const spmv__mtx_reader *reader)
{
    *one = (single){.entries = {.header = &reader->header,
                                .options = reader->options,
                                .row = &one->row,
                                .col = &one->col,
                                .room = 1}};
    if (reader->header.field != SPMV__MTX_PATTERN) one->entries.val = &one->val;
}

SPMV__INLINE bool deal_entry(const spmv__mtx_job *job, const spmv__hand *hand, spmv_type type,
                             uint64_t row, uint64_t col, spmv_scalar value)
{
    return spmv__deal(hand, type, row, col, value) &&
           (job->images == SPMV_GENERAL || row == col ||
            spmv__deal(hand, type, col, row, spmv__mirrored(job->images, value)));
}

/* The next entry of the text, if there is one.  False at the end of the text, or when the verdict
 * has become one to stop at. */
static bool deal_single(const spmv__mtx_job *job, const spmv__hand *hand, single *one,
                        spmv__mtx_tally *tally)
{
    spmv__mtx_entries *entries = &one->entries;
    spmv__text *text = &tally->text;
    if (!spmv__text_next_content(text, true)) return false;
    entries->n = entries->skipped = entries->dropped = 0;
    if (!spmv__mtx_read_entries(text, entries)) tally->verdict = SPMV__MTX_FAULT;
    if (text->count[SPMV__ODD_UPPER] > 0) tally->verdict = SPMV__MTX_ODD;
    tally->given++;
    tally->skipped += entries->skipped;
    if (tally->verdict != SPMV__MTX_READ) return false;
    if (entries->n == 1 && !deal_entry(job, hand, hand->dealer->how.type, (uint64_t)one->row,
                                       (uint64_t)one->col, one->val))
        tally->verdict = SPMV__MTX_MEMORY;
    return tally->verdict == SPMV__MTX_READ;
}

/* Lines in the usual form, from p on; returns the first that may be none, or NULL: out of memory.
 */
SPMV__INLINE const unsigned char *deal_usual(const spmv__mtx_job *job, const spmv__hand *hand,
                                             const unsigned char *p, const unsigned char *end,
                                             int64_t *given, const spmv__mtx_field field,
                                             const spmv_type type)
{
    const spmv__mtx_header header = job->reader->header;
    const spmv__mtx_job own = *job;
    while (end - p > SPMV__LINE_AHEAD) {
        __builtin_prefetch(p + FETCHED_AHEAD);
        uint64_t marks = spmv__line_marks(p, field);
        for (int i = 0; i < spmv__lines_at_once(field); i++) {
            spmv__line line;
            const unsigned char *next = spmv__mtx_line(p, marks, field, &line);
            if (next == NULL) return p;
            const uint64_t row = line.row - own.base, col = line.col - own.base;
            if (!spmv__mtx_takes(&header, row, col)) return p;
            if (!deal_entry(&own, hand, type, row, col, spmv__number(line.val, 0))) return NULL;
            ++*given;
            marks = ~(~marks >> (next - p)); /* what is not known is a mark */
            p = next;
        }
    }
    return p;
}

SPMV__INLINE void deal_lines(const spmv__mtx_job *job, spmv__dealer *dealer, spmv__mtx_tally *tally,
                             const spmv__mtx_field field, const spmv_type type)
{
    const unsigned char *end = tally->text.end, *p = tally->text.p;
    const unsigned char *quick = p + SPMV__LINE_BEHIND; /* nothing need lie before the block */
    const spmv__hand hand = spmv__hand_of(dealer);
    single one;
    int64_t given = 0;
    single_init(&one, job->reader);
    while (p < end) {
        if (p >= quick) p = deal_usual(job, &hand, p, end, &given, field, type);
        if (p == NULL) tally->verdict = SPMV__MTX_MEMORY;
        if (p == NULL || p == end) break;
        tally->text.p = p;
        if (!deal_single(job, &hand, &one, tally)) break;
        p = tally->text.p;
    }
    tally->given += given;
}

/* Newer instructions for bits and shifts save 7 % of the time. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
__attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
void spmv__mtx_deal_block(const spmv__mtx_job *job, spmv__dealer *dealer, spmv__mtx_tally *tally)
{
    const spmv__mtx_field field = job->reader->header.field;
    if (field == SPMV__MTX_REAL)
        deal_lines(job, dealer, tally, SPMV__MTX_REAL, SPMV_F64);
    else if (field == SPMV__MTX_PATTERN)
        deal_lines(job, dealer, tally, SPMV__MTX_PATTERN, SPMV_PATTERN);
    else
        deal_lines(job, dealer, tally, field, dealer->how.type);
}
