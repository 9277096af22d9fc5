/* quick_lines.c -- the lines of a block, each entry put into its bucket. */
#include "core/matrix/value.h"
#include "formats/mtx/quick.h"
#include "formats/mtx/quick_line.h"

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

SPMV__INLINE bool put_entry(const spmv__mtx_job *job, const spmv__bucket_ends *ends, spmv_type type,
                            uint64_t row, uint64_t col, spmv_scalar value)
{
    return spmv__bucket_put(ends, type, row, col, value) &&
           (job->images == SPMV_GENERAL || row == col ||
            spmv__bucket_put(ends, type, col, row, spmv__mirrored(job->images, value)));
}

/* An entry above the diagonal stands for its image below, and that for it. */
SPMV__INLINE bool put_image(const spmv__mtx_job *job, const spmv__bucket_ends *ends, spmv_type type,
                            uint64_t row, uint64_t col, spmv_scalar value)
{
    return put_entry(job, ends, type, col, row,
                     spmv__mirrored(job->reader->header.symmetry, value));
}

/* The next entry of the text, if there is one.  False at the end of the text, or when the verdict
 * has become one to stop at. */
static bool put_single(const spmv__mtx_job *job, const spmv__bucket_ends *ends, single *one,
                       spmv__mtx_tally *tally)
{
    spmv__mtx_entries *entries = &one->entries;
    spmv__text *text = &tally->text;
    if (!spmv__text_next_content(text, true)) return false;
    entries->n = entries->skipped = entries->dropped = 0;
    if (!spmv__mtx_read_entries(text, entries)) tally->verdict = SPMV__MTX_FAULT;
    tally->given++;
    tally->skipped += entries->skipped;
    if (tally->verdict != SPMV__MTX_READ) return false;
    const uint64_t row = (uint64_t)one->row, col = (uint64_t)one->col;
    tally->below |= entries->n == 1 && row > col;
    const bool image = spmv__mtx_accepts_image(entries->header, row, col);
    if (entries->n == 1 &&
        !(image ? put_image : put_entry)(job, ends, ends->writer->how.type, row, col, one->val))
        tally->verdict = SPMV__MTX_MEMORY;
    return tally->verdict == SPMV__MTX_READ;
}

/* A place where lines are read in the usual form, and the entries that they gave. */
typedef struct place {
    const unsigned char *p, *end; /* p NULL: out of memory */
    uint64_t marks;
    int64_t given, images;      /* images: of these, above the diagonal of a symmetric matrix */
    const unsigned char *image; /* the first of them */
    bool below;                 /* an entry was below the diagonal */
} place;

/* Room for some lines more? */
SPMV__INLINE bool look_ahead(place *at, const spmv__mtx_field field)
{
    if (at->end - at->p <= SPMV__LINE_AHEAD) return false;
    __builtin_prefetch(at->p + FETCHED_AHEAD);
    at->marks = spmv__line_marks(at->p, field);
    return true;
}

/* One line in the usual form; false: it may be none, or there is no memory. */
SPMV__INLINE bool put_line(const spmv__mtx_job *job, const spmv__mtx_header *header,
                           const spmv__bucket_ends *ends, place *at, const spmv__mtx_field field,
                           const spmv_type type)
{
    spmv__line line;
    const unsigned char *next = spmv__mtx_line(at->p, at->marks, field, &line);
    if (next == NULL) return false;
    const uint64_t row = line.row - job->base, col = line.col - job->base;
    const spmv_scalar value = spmv__number(line.val, 0);
    bool room;
    if (spmv__mtx_accepts(header, row, col)) {
        room = put_entry(job, ends, type, row, col, value);
        at->below |= row > col;
    } else if (spmv__mtx_accepts_image(header, row, col)) {
        room = put_image(job, ends, type, row, col, value);
        if (at->images++ == 0) at->image = at->p;
    } else {
        return false;
    }
    if (!room) {
        at->p = NULL;
        return false;
    }
    at->given++;
    at->marks = ~(~at->marks >> (next - at->p)); /* what is not known is a mark */
    at->p = next;
    return true;
}

/* Lines in the usual form, up to the first that may be none. */
SPMV__INLINE void put_usual(const spmv__mtx_job *job, const spmv__bucket_ends *ends, place *to,
                            const spmv__mtx_field field, const spmv_type type)
{
    const spmv__mtx_header header = job->reader->header;
    const spmv__mtx_job own = *job;
    place at = *to;
    bool usual = true;
    while (usual && look_ahead(&at, field))
        for (int i = 0; usual && i < spmv__lines_at_once(field); i++)
            usual = put_line(&own, &header, ends, &at, field, type);
    *to = at;
}

/* Put the lines of two places into buckets, one of each in turn, up to the first unusual line in
 * either; returns in which.  Where a line begins is known only when the one before it was looked
 * at: so the processor has the other place to look at meanwhile. */
SPMV__INLINE int put_both(const spmv__mtx_job *job, const spmv__bucket_ends *ends, place *to,
                          const spmv__mtx_field field, const spmv_type type)
{
    const spmv__mtx_header header = job->reader->header;
    const spmv__mtx_job own = *job;
    place one = to[0], two = to[1];
    bool first = true, second = true;
    while (first && second) {
        first = look_ahead(&one, field);
        second = first && look_ahead(&two, field);
        for (int i = 0; first && second && i < spmv__lines_at_once(field); i++) {
            first = put_line(&own, &header, ends, &one, field, type);
            second = first && put_line(&own, &header, ends + 1, &two, field, type);
        }
    }
    to[0] = one;
    to[1] = two;
    return first ? 1 : 0;
}

/* The next entry the careful way; false: no more is to be read. */
static bool put_careful(const spmv__mtx_job *job, const spmv__bucket_ends *ends, place *at,
                        single *one, spmv__mtx_tally *tally)
{
    if (at->p == NULL) tally->verdict = SPMV__MTX_MEMORY;
    if (at->p == NULL || at->p == at->end) return at->p != NULL;
    tally->text.p = at->p;
    at->p = put_single(job, ends, one, tally) ? tally->text.p : at->end;
    return tally->verdict == SPMV__MTX_READ;
}

/* Note what the usual lines had above the diagonal. */
static void note_images(spmv__text *text, const place *at)
{
    const spmv__oddity i = SPMV__ODD_UPPER;
    if (at->images == 0) return;
    if (text->count[i] == 0 || at->image < text->first[i]) text->first[i] = at->image;
    text->count[i] += at->images;
}

/* All lines of both halves: the usual ones together as long as both have some, the others the
 * careful way. */
SPMV__INLINE void put_lines(const spmv__mtx_job *job, spmv__bucket_writer *writer,
                            spmv__mtx_tally *tally, const spmv__mtx_field field,
                            const spmv_type type)
{
    const unsigned char *quick = tally[0].text.p + SPMV__LINE_BEHIND; /* nothing need lie before */
    const spmv__bucket_ends ends[] = {spmv__bucket_ends_of(writer),
                                      spmv__bucket_ends_of(writer + 1)};
    place at[SPMV__MTX_HALVES];
    single one[SPMV__MTX_HALVES];
    bool on = true;
    for (int h = 0; h < SPMV__MTX_HALVES; h++) {
        at[h] = (place){.p = tally[h].text.p, .end = tally[h].text.end};
        single_init(&one[h], job->reader);
    }
    while (on && at[0].p < at[0].end && at[1].p < at[1].end) {
        const int h = at[0].p >= quick ? put_both(job, ends, at, field, type) : 0;
        on = put_careful(job, &ends[h], &at[h], &one[h], &tally[h]);
    }
    for (int h = 0; h < SPMV__MTX_HALVES; h++) {
        while (on && at[h].p < at[h].end) {
            if (at[h].p >= quick) put_usual(job, &ends[h], &at[h], field, type);
            on = put_careful(job, &ends[h], &at[h], &one[h], &tally[h]);
        }
        tally[h].given += at[h].given;
        tally[h].below |= at[h].below;
        note_images(&tally[h].text, &at[h]);
    }
}

/* Newer instructions for bits and shifts save 7 % of the time. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
__attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
void spmv__mtx_put_block(const spmv__mtx_job *job, spmv__bucket_writer *writer, spmv__mtx_tally *tally)
{
    const spmv__mtx_field field = job->reader->header.field;
    if (field == SPMV__MTX_REAL)
        put_lines(job, writer, tally, SPMV__MTX_REAL, SPMV_F64);
    else if (field == SPMV__MTX_PATTERN)
        put_lines(job, writer, tally, SPMV__MTX_PATTERN, SPMV_PATTERN);
    else
        put_lines(job, writer, tally, field, writer->how.type);
}
