/* mtx_csr.c -- the quick way to CSR from end to end: blocks, two looks at each, then the rows. */
#include "mtx_csr.h"

#include <stdlib.h>

enum {
    BLOCK_MIN = 1 << 17, /* bytes of a block, as far as it is chosen here: */
    BLOCK_MAX = 1 << 21, /* some for each thread */
    BLOCKS_PER_THREAD = 4,
    BUCKETS_PER_BLOCK = 16,    /* a bucket for so much of a block */
    BUCKETS_MIN = 64,          /* and at most so many, */
    BYTES_PER_BUCKET = 1 << 11 /* or one for so many bytes of a block: then the table of places
                                  takes 0.4 % of the text, and 1024 buckets fit the cache */
};

bool spmv__mtx_fits_csr(const spmv__mtx_reader *reader)
{
    const spmv__mtx_header *header = &reader->header;
    const int64_t room = spmv__mtx_room(header, reader->text.end - reader->text.p);
    return header->cols <= spmv__csr_format.max_cols &&
           (header->rows <= (int64_t)1 << 20 || header->rows / 8 <= room);
}

/* ---- Blocks and buckets --------------------------------------------------------------------- */

static int64_t choose_block_bytes(int64_t bytes, int threads)
{
    const int64_t share = bytes / threads / BLOCKS_PER_THREAD;
    return share < BLOCK_MIN ? BLOCK_MIN : share > BLOCK_MAX ? BLOCK_MAX : share;
}

static int choose_shift(int64_t rows, int64_t bytes, int64_t block_bytes)
{
    const int64_t wanted = bytes * BUCKETS_PER_BLOCK / block_bytes + 1;
    const int64_t most = block_bytes / BYTES_PER_BUCKET;
    const int64_t limit = most > BUCKETS_MIN ? most : BUCKETS_MIN;
    return spmv__bucket_shift(rows, wanted < limit ? wanted : limit);
}

/* Blocks of at least block_bytes, but for the last, that end where lines end. */
static spmv_status cut_blocks(spmv__mtx_job *job, int64_t block_bytes, spmv_error *err)
{
    const unsigned char *p = job->reader->text.p, *end = job->reader->text.end;
    const int64_t most = (end - p) / block_bytes + 1;
    spmv_status st = spmv__alloc(&job->cut, most + 1, sizeof *job->cut, "reading", err);
    if (st != SPMV_SUCCESS) return st;
    job->cut[0] = p;
    while (p < end) {
        const unsigned char *cut = NULL;
        if (end - p > block_bytes)
            cut = memchr(p + block_bytes, '\n', (size_t)(end - p - block_bytes));
        p = cut == NULL ? end : cut + 1;
        job->cut[++job->blocks] = p;
    }
    return SPMV_SUCCESS;
}

/* ---- The two looks -------------------------------------------------------------------------- */

/* Add what was odd in one stretch of the text; they may come in any order. */
static void add_oddities(spmv__text *sum, const spmv__text *text)
{
    for (int i = 0; i < SPMV__ODDITIES; i++) {
        if (text->count[i] == 0) continue;
        if (sum->count[i] == 0 || text->first[i] < sum->first[i]) sum->first[i] = text->first[i];
        sum->count[i] += text->count[i];
    }
}

static void add_tally(spmv__mtx_tally *sum, const spmv__mtx_tally *block)
{
    if (block->verdict > sum->verdict) sum->verdict = block->verdict;
    sum->given += block->given;
    sum->skipped += block->skipped;
    add_oddities(&sum->text, &block->text);
}

/* Look at every block, the first time or (next: [threads * buckets]) the second; once one cannot be
 * read, the others need not be. */
static spmv__mtx_tally look(const spmv__mtx_job *job, int64_t *next, int threads)
{
    const spmv_read_options *options = job->reader->options;
    const int64_t bytes = job->cut[job->blocks] - job->cut[0];
    int64_t looked = next == NULL ? 0 : bytes;
    spmv__mtx_tally sum = {.verdict = SPMV__MTX_READ};
    int stop = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t b = 0; b < job->blocks; b++) {
        spmv__mtx_tally block;
        int stopped;
#pragma omp atomic read
        stopped = stop;
        if (stopped) continue;
        if (next == NULL)
            spmv__mtx_count_block(job, b, job->place + b * job->to.buckets, &block);
        else
            spmv__mtx_place_block(job, b, next + spmv__thread() * job->to.buckets, &block);
        if (block.verdict != SPMV__MTX_READ) {
#pragma omp atomic write
            stop = 1;
        }
#pragma omp critical(spmv__mtx_tally)
        {
            add_tally(&sum, &block);
            looked += job->cut[b + 1] - job->cut[b];
            spmv__report(options->progress, options->user, "parsing", looked / 2, bytes);
        }
    }
    return sum;
}

static spmv_status count(spmv__mtx_job *job, int64_t block_bytes, int threads,
                         spmv__mtx_tally *tally, spmv_error *err)
{
    const spmv__mtx_header *header = &job->reader->header;
    const int64_t bytes = job->reader->text.end - job->reader->text.p;
    spmv_status st;

    if (block_bytes == 0) block_bytes = choose_block_bytes(bytes, threads);
    SPMV__TRY(cut_blocks(job, block_bytes, err));
    job->to.shift = choose_shift(header->rows, bytes, block_bytes);
    job->to.buckets = header->rows == 0 ? 1 : ((header->rows - 1) >> job->to.shift) + 1;
    SPMV__TRY(spmv__alloc(&job->place, (job->blocks + 1) * job->to.buckets, sizeof *job->place,
                          "counts of entries", err));
    *tally = look(job, NULL, threads);
    if (tally->verdict == SPMV__MTX_READ && tally->given != header->entries)
        tally->verdict = SPMV__MTX_FAULT;
done:
    return st;
}

/* From counts to places: bucket by bucket, and in each block by block.  Returns their number. */
static int64_t counts_to_places(const spmv__mtx_job *job, int64_t *begin)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < job->to.buckets; k++) {
        begin[k] = sum;
        for (int64_t b = 0; b <= job->blocks; b++) {
            int64_t *place = &job->place[b * job->to.buckets + k];
            const int64_t n = *place;
            *place = sum;
            sum += n;
        }
    }
    begin[job->to.buckets] = sum;
    return sum;
}

static spmv_status place(spmv__mtx_job *job, int64_t *begin, int threads, spmv__mtx_tally *tally,
                         spmv_error *err)
{
    const spmv__mtx_header *header = &job->reader->header;
    const int64_t nnz = counts_to_places(job, begin);
    int64_t *next = NULL;
    spmv_status st;

    job->to.begin = begin;
    SPMV__TRY(
        spmv_csr_create(&job->to.A, spmv__mtx_type(header), header->rows, header->cols, nnz, err));
    SPMV__TRY(spmv__alloc(&job->to.low, nnz, sizeof *job->to.low, "rows of entries", err));
    SPMV__TRY(spmv__alloc(&next, threads * job->to.buckets, sizeof *next, "places", err));
    *tally = look(job, next, threads);
done:
    free(next);
    return st;
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* What the file says twice is told, or is an error. */
static spmv_status report_merged(spmv__mtx_reader *reader, const spmv__assembly *to,
                                 spmv_error *err)
{
    const spmv__origin origin = spmv__mtx_origin(reader, false);
    if (to->merged == 0) return SPMV_SUCCESS;
    return spmv__text_given_again(&origin, to->A.type, to->row, to->col, to->merged, err);
}

static spmv__mtx_job make_job(const spmv__mtx_reader *reader)
{
    const spmv_read_options *options = reader->options;
    const spmv_symmetry images = options->keep_symmetry ? SPMV_GENERAL : reader->header.symmetry;
    return (spmv__mtx_job){
        .reader = reader,
        .base = options->index_base == SPMV_BASE_0 ? 0 : 1,
        .columns = reader->header.symmetry != SPMV_GENERAL || options->skip_invalid,
        .both = images != SPMV_GENERAL,
        .to = {.images = images,
               .duplicates = options->duplicates,
               .drop_zeros = options->drop_zeros},
    };
}

spmv_status spmv__mtx_read_csr(spmv_csr *out, spmv__mtx_reader *reader, int64_t block_bytes,
                               spmv_file_info *info, bool *done, spmv_error *err)
{
    const int threads = spmv__threads(reader->options->threads);
    spmv__mtx_job job = make_job(reader);
    spmv__mtx_tally tally;
    int64_t *begin = NULL;
    spmv_status st;

    *done = false;
    SPMV__TRY(count(&job, block_bytes, threads, &tally, err));
    if (tally.verdict == SPMV__MTX_READ) {
        SPMV__TRY(spmv__alloc(&begin, job.to.buckets + 1, sizeof *begin, "places", err));
        SPMV__TRY(place(&job, begin, threads, &tally, err));
    }
    if (tally.verdict == SPMV__MTX_FAULT) st = spmv__mtx_explain(reader, err);
    if (tally.verdict != SPMV__MTX_READ) goto done;

    add_oddities(&reader->text, &tally.text);
    SPMV__TRY(spmv__assemble(&job.to, threads, err));
    SPMV__TRY(report_merged(reader, &job.to, err));
    info->skipped = tally.skipped;
    info->duplicates = job.to.merged;
    *out = job.to.A;
    if (!job.both) out->symmetry = reader->header.symmetry;
    job.to.A = (spmv_csr){0};
    *done = true;
done:
    spmv_csr_destroy(&job.to.A);
    free(job.to.low);
    free(job.cut);
    free(job.place);
    free(begin);
    return st;
}
