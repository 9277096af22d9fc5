/* mtx_count.c -- the first look at a block of lines: how many entries go into each bucket.
 *
 * Line ends are searched 64 bytes at a time, and of a line that begins with its row only that is
 * read (of a symmetric file the column too, as the mirror image goes to its row).  The rest of the
 * line waits for the second look, which finds the same row there: what is not a line of this kind
 * is read the careful way both times. */
#include "mtx_csr.h"
#include "plain.h"
#include "scan.h"

void spmv__mtx_single_init(spmv__mtx_single *single, const spmv__mtx_reader *reader)
{
    *single = (spmv__mtx_single){.entries = {.header = &reader->header,
                                             .options = reader->options,
                                             .row = &single->row,
                                             .col = &single->col,
                                             .room = 1}};
    if (reader->header.field != SPMV__MTX_PATTERN) single->entries.val = &single->val;
}

bool spmv__mtx_read_single(spmv__mtx_single *single, spmv__mtx_tally *tally)
{
    spmv__mtx_entries *entries = &single->entries;
    spmv__text *text = &tally->text;
    if (tally->verdict != SPMV__MTX_READ || !spmv__text_next_content(text, true)) return false;
    entries->n = entries->skipped = entries->dropped = 0;
    if (!spmv__mtx_read_entries(text, entries)) tally->verdict = SPMV__MTX_FAULT;
    if (text->count[SPMV__ODD_UPPER] > 0) tally->verdict = SPMV__MTX_ODD;
    tally->given++;
    tally->skipped += entries->skipped;
    return tally->verdict == SPMV__MTX_READ;
}

static inline void count_entry(const spmv__mtx_job *job, uint64_t row, uint64_t col, int64_t *count)
{
    count[row >> job->to.shift]++;
    if (job->both && row != col) count[col >> job->to.shift]++;
}

/* Count the line that begins with its row at p, or leave it to the careful way.  There is enough
 * text behind p for both indices. */
static inline bool count_line(const spmv__mtx_job *job, const unsigned char *p, int64_t *count)
{
    const spmv__mtx_reader *reader = job->reader;
    const unsigned char *safe = reader->text.end - SPMV__PLAIN;
    uint64_t row, col = 0;
    if ((p = spmv__plain_index(p, &row)) == NULL) return false;
    row -= job->base;
    if (!job->columns) {
        if (row >= (uint64_t)reader->header.rows) return false;
    } else {
        p = spmv__plain_blanks(p, safe);
        if (p >= safe || spmv__plain_index(p, &col) == NULL) return false;
        col -= job->base;
        if (!spmv__mtx_takes(&reader->header, row, col)) return false;
    }
    count_entry(job, row, col, count);
    return true;
}

static bool count_single(const spmv__mtx_job *job, spmv__mtx_single *single, int64_t *count,
                         spmv__mtx_tally *tally)
{
    if (!spmv__mtx_read_single(single, tally)) return false;
    if (single->entries.n == 1)
        count_entry(job, (uint64_t)single->row, (uint64_t)single->col, count);
    return true;
}

/* Is one of the carriage returns among 64 bytes not part of CR LF? */
static bool is_alone(const unsigned char *p, uint64_t returns, uint64_t ends)
{
    const uint64_t last = (uint64_t)1 << 63;
    return (returns & ~last & ~(ends >> 1)) != 0 || ((returns & last) != 0 && p[64] != '\n');
}

/* Count line by line, as long as there is text enough behind.  False: there are lines that end with
 * a carriage return alone, which are not searched for here. */
static bool count_lines(const spmv__mtx_job *job, spmv__mtx_single *single, int64_t *count,
                        spmv__mtx_tally *tally)
{
    spmv__text *text = &tally->text;
    const unsigned char *line = text->p, *end = text->end, *all = job->reader->text.end;
    int64_t given = 0;
    for (const unsigned char *p = line; p < end && all - p > SPMV__SCAN + SPMV__PLAIN;
         p += SPMV__SCAN) {
        uint64_t ends = spmv__scan_for(p, '\n');
        const uint64_t returns = spmv__scan_for(p, '\r');
        if (returns != 0 && is_alone(p, returns, ends)) return false;
        for (; ends != 0; ends &= ends - 1) {
            const unsigned char *next = p + __builtin_ctzll(ends) + 1;
            if (next > end) break;
            if (line >= text->p) { /* not among those that the careful way has read already */
                if (count_line(job, line, count)) {
                    given++;
                } else {
                    text->p = line;
                    count_single(job, single, count, tally);
                }
            }
            line = next;
        }
    }
    if (text->p < line) text->p = line;
    tally->given += given;
    return true;
}

void spmv__mtx_count_block(const spmv__mtx_job *job, int64_t b, int64_t *count,
                           spmv__mtx_tally *tally)
{
    spmv__mtx_single single;
    spmv__mtx_single_init(&single, job->reader);
    *tally = (spmv__mtx_tally){.text = {.p = job->cut[b], .end = job->cut[b + 1], .comments = "%"}};
    if (!count_lines(job, &single, count, tally)) {
        memset(count, 0, (size_t)job->to.buckets * sizeof *count);
        *tally =
            (spmv__mtx_tally){.text = {.p = job->cut[b], .end = job->cut[b + 1], .comments = "%"}};
    }
    while (count_single(job, &single, count, tally)) continue;
    /* Whether a Ctrl-Z is the end of the file cannot be seen from here. */
    if (tally->text.count[SPMV__ODD_CTRL_Z] > 0 && b + 1 < job->blocks)
        tally->verdict = SPMV__MTX_ODD;
}
