/* quick_csr.c -- the quick way to CSR from end to end: blocks, their entries, then the rows. */
#include "core/matrix/format.h"
#include "formats/mtx/quick.h"
#include "core/base/pages.h"

#include <pthread.h>
#include <stdlib.h>

bool spmv__mtx_fits_csr(const spmv__mtx_reader *reader)
{
    const spmv__mtx_header *header = &reader->header;
    const int64_t room = spmv__mtx_room(header, reader->text.end - reader->text.p);
    const bool partial = spmv__source_is_partial(reader->src);
    return header->cols <= spmv__csr_format.max_cols &&
           !spmv__has_too_many_rows(header->rows, partial ? header->entries : room);
}

/* ---- Blocks --------------------------------------------------------------------------------- */

/* What is still to be read, and what has come of it; used under its lock.  (One of OpenMP
 * spins, which takes the processor from the thread that unpacks.) */
typedef struct intake {
    pthread_mutex_t lock;
    spmv__source *stream;         /* where pieces come from; NULL: */
    const unsigned char *p, *end; /* from here, */
    int64_t block_bytes;          /* at least so many bytes each */
    int64_t stretches;            /* blocks so far */
    int64_t declared;             /* entries, of which there may not be more, */
    bool all;                     /* and nor less */
    int64_t looked, bytes;        /* of the text, or of the file that it is packed in */
    spmv__mtx_tally sum;
    spmv_status status; /* of the stream, or of memory */
    spmv_error *err;
} intake;

/* The next block, up to where a line ends; empty when there is none or no more is wanted. */
static spmv__piece take_block(intake *in, int64_t *stretch)
{
    spmv__piece piece = {.begin = in->end, .end = in->end};
    if (in->sum.verdict != SPMV__MTX_READ || in->status != SPMV_SUCCESS) return piece;
    if (in->stream != NULL) {
        spmv__piece next;
        in->status = spmv__source_next(in->stream, &next, in->err);
        if (in->status != SPMV_SUCCESS) return piece;
        piece = next;
        if (in->stretches == 0) piece.begin = in->p; /* after the header */
        if (next.begin < next.end) in->bytes = next.whole;
        /* A header that ends where the first piece does, or is not all in it, may go on after it.
         * A bomb is left to spmv__source_whole, which says what is wrong. */
        if (piece.begin >= piece.end && next.begin < next.end) {
            spmv__source_release(in->stream, &next);
            piece.begin = piece.end;
            in->sum.verdict = SPMV__MTX_ODD;
        }
        if (!spmv__source_believes(in->stream)) in->sum.verdict = SPMV__MTX_ODD;
    } else {
        piece.begin = in->p;
        in->p = piece.end = spmv__text_block_end(in->p, in->end, in->block_bytes);
    }
    *stretch = in->stretches;
    in->stretches += piece.begin < piece.end;
    return piece;
}

/* Add what was odd in one stretch of the text; they may come in any order. */
static void add_oddities(spmv__text *sum, const spmv__text *text)
{
    for (int i = 0; i < SPMV__ODDITIES; i++) {
        if (text->count[i] == 0) continue;
        if (sum->count[i] == 0 || text->first[i] < sum->first[i]) sum->first[i] = text->first[i];
        sum->count[i] += text->count[i];
    }
}

static void add_tally(intake *in, const spmv__piece *piece, const spmv__mtx_tally *block)
{
    spmv__mtx_verdict verdict = block->verdict;
    /* Whether a Ctrl-Z is the end of the file cannot be seen from inside. */
    if (block->text.count[SPMV__ODD_CTRL_Z] > 0 && (in->stream != NULL || piece->end != in->end))
        verdict = SPMV__MTX_ODD;
    in->sum.given += block->given;
    if (in->sum.given > in->declared && verdict < SPMV__MTX_FAULT) verdict = SPMV__MTX_FAULT;
    if (verdict > in->sum.verdict) in->sum.verdict = verdict;
    in->sum.skipped += block->skipped;
    in->sum.below |= block->below;
    if (in->stream == NULL) in->looked += piece->end - piece->begin;
    if (in->looked < piece->taken) in->looked = piece->taken;
    add_oddities(&in->sum.text, &block->text);
}

/* The place in the middle of a block where a line begins, or the end of the block. */
static const unsigned char *middle_of(const spmv__piece *piece)
{
    const unsigned char *half = piece->begin + (piece->end - piece->begin) / 2;
    const unsigned char *cut = memchr(half, '\n', (size_t)(piece->end - half));
    return cut == NULL ? piece->end : cut + 1;
}

/* The work of one thread: block after block. */
static void work(const spmv__mtx_job *job, spmv__bucket_writer *writer, intake *in)
{
    const spmv_read_options *options = job->reader->options;
    for (;;) {
        spmv__piece piece;
        int64_t stretch = 0;
        pthread_mutex_lock(&in->lock);
        piece = take_block(in, &stretch);
        pthread_mutex_unlock(&in->lock);
        if (piece.begin == piece.end) break;
        spmv__pages_populate(piece.begin, piece.end - piece.begin);
        spmv__piece half[SPMV__MTX_HALVES] = {piece, piece};
        spmv__mtx_tally tally[SPMV__MTX_HALVES];
        half[0].end = half[1].begin = middle_of(&piece);
        for (int h = 0; h < SPMV__MTX_HALVES; h++)
            tally[h] = (spmv__mtx_tally){
                .text = {.p = half[h].begin, .end = half[h].end, .comments = "%"}};
        spmv__mtx_put_block(job, writer, tally);
        for (int h = 0; h < SPMV__MTX_HALVES; h++)
            if (spmv__bucket_end_stretch(writer + h, SPMV__MTX_HALVES * stretch + h, NULL) !=
                SPMV_SUCCESS)
                tally[h].verdict = SPMV__MTX_MEMORY;
        if (in->stream != NULL)
            spmv__source_release(in->stream, &piece);
        else
            spmv__source_leave(job->reader->src, piece.begin, piece.end);
        pthread_mutex_lock(&in->lock);
        for (int h = 0; h < SPMV__MTX_HALVES; h++) add_tally(in, &half[h], &tally[h]);
        spmv__report(options->progress, options->user, "parsing", in->looked, in->bytes);
        pthread_mutex_unlock(&in->lock);
    }
}

/* ---- Buckets -------------------------------------------------------------------------------- */

/* Put all entries into buckets; the verdict is in in->sum. */
static spmv_status fill_buckets(const spmv__mtx_job *job, intake *in, spmv__bucket_store *store,
                                int threads, spmv_error *err)
{
    const spmv__mtx_header *header = &job->reader->header;
    /* What a stream comes to is not known; that its header may say anything must not overflow. */
    const int64_t most = in->stream == NULL ? in->end - in->p : INT64_MAX / 64;
    const int64_t images = job->images == SPMV_GENERAL ? 1 : 2;
    const int64_t entries = spmv__mtx_room(header, most) * images;
    threads = spmv__bucket_threads(entries, threads);
    const int writers = SPMV__MTX_HALVES * threads;
    const spmv__bucket_layout how = spmv__bucket_layout_for(spmv__mtx_type(header), header->rows,
                                                            header->cols, entries, writers);
    spmv_status st;

    SPMV__TRY(spmv__bucket_store_open(store, &how, writers, err));
    if (threads > 1) spmv__threads_start();
    const int busy = in->stream != NULL && threads > 1 ? 1 : 0; /* with the stream */
#pragma omp parallel num_threads(threads - busy)
    work(job, &store->writer[SPMV__MTX_HALVES * spmv__thread()], in);
    if (in->stream != NULL) spmv__source_empty(in->stream);
    /* What is wrong with a block comes before the end of the stream, which another thread may have
     * met meanwhile. */
    if (in->sum.verdict == SPMV__MTX_READ) st = in->status;
    if (in->sum.verdict == SPMV__MTX_MEMORY)
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for %lld entries",
                        (long long)header->entries);
    if (in->sum.verdict == SPMV__MTX_READ && in->all && in->sum.given != in->declared)
        in->sum.verdict = SPMV__MTX_FAULT;
    if (st == SPMV_SUCCESS && in->sum.verdict == SPMV__MTX_READ)
        st = spmv__bucket_store_order(store, SPMV__MTX_HALVES * in->stretches, err);
done:
    return st;
}

static spmv__mtx_job job_of(const spmv__mtx_reader *reader)
{
    const spmv_read_options *options = reader->options;
    return (spmv__mtx_job){.reader = reader,
                           .base = options->index_base == SPMV_BASE_0 ? 0 : 1,
                           .images =
                               options->keep_symmetry ? SPMV_GENERAL : reader->header.symmetry};
}

/* What becomes of the entries in the buckets. */
static spmv__assembly assembly_of(const spmv__mtx_job *job, spmv__bucket_store *store)
{
    const spmv__mtx_header *header = &job->reader->header;
    const spmv_read_options *options = job->reader->options;
    return (spmv__assembly){
        .A = {.type = spmv__mtx_type(header), .rows = header->rows, .cols = header->cols},
        .store = store,
        .images = job->images,
        .duplicates = options->duplicates,
        .drop_zeros = options->drop_zeros,
        .meter = {.progress = options->progress, .user = options->user}};
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* Returns whether places in the text are to be told.  Those of a stream are gone. */
static bool wants_places(const intake *in, const spmv__mtx_reader *reader, int64_t merged)
{
    const spmv_read_options *options = reader->options;
    int64_t odd = merged;
    if (merged > 0 && options->duplicates == SPMV_DUPLICATES_ERROR) return true;
    for (int i = 0; i < SPMV__ODDITIES; i++) odd += reader->text.count[i] + in->sum.text.count[i];
    return odd > 0 && (options->strict || options->warn != NULL);
}

/* Returns whether entries that were merged have to be looked at the careful way: what is counted
 * has no place in a pattern, and an entry may be the mirror image of the other one. */
static bool is_ambiguous(const intake *in, const spmv__assembly *to)
{
    return (to->A.type == SPMV_PATTERN && to->duplicates == SPMV_DUPLICATES_COUNT) ||
           (in->sum.below && in->sum.text.count[SPMV__ODD_UPPER] > 0);
}

/* A text that was read, and what became of it. */
typedef struct read_text {
    const spmv__mtx_reader *reader;
    const spmv__assembly *to;
    int64_t block_bytes;
} read_text;

/* The second entry with these coordinates, in its stretch: blocks are cut again as they were. */
static const unsigned char *find_again(const void *file, int64_t row, int64_t col, int nth)
{
    const read_text *read = file;
    const unsigned char *end = read->reader->text.end;
    spmv__piece block = {.begin = read->reader->text.p, .end = read->reader->text.p};
    for (int64_t k = 0; k <= read->to->stretch / SPMV__MTX_HALVES; k++) {
        block.begin = block.end;
        block.end = spmv__text_block_end(block.begin, end, read->block_bytes);
    }
    if (read->to->stretch % SPMV__MTX_HALVES == 0)
        block.end = middle_of(&block);
    else
        block.begin = middle_of(&block);
    (void)nth;
    return spmv__mtx_find(read->reader, block.begin, block.end, row, col, read->to->nth);
}

/* Entries that the file gives twice are told, or are an error. */
static spmv_status report_merged(spmv__mtx_reader *reader, const spmv__assembly *to,
                                 int64_t block_bytes, spmv_error *err)
{
    const read_text read = {reader, to, block_bytes};
    spmv__origin origin = spmv__mtx_origin(reader, reader->text.count[SPMV__ODD_UPPER] > 0);
    if (to->merged == 0) return SPMV_SUCCESS;
    origin.find = find_again;
    origin.file = &read;
    return spmv__text_given_again(&origin, to->A.type, to->row, to->col, to->merged, err);
}

spmv_status spmv__mtx_read_csr(spmv_csr *out, spmv__mtx_reader *reader, spmv__source *stream,
                               int64_t block_bytes, spmv_file_info *info, bool *done,
                               spmv_error *err)
{
    const spmv_read_options *options = reader->options;
    const spmv__mtx_header *header = &reader->header;
    const int threads = spmv__threads(options->threads);
    spmv__bucket_store store = {0};
    const spmv__mtx_job job = job_of(reader);
    intake in = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .stream = stream,
                 .p = reader->text.p,
                 .end = reader->text.end,
                 .declared = header->entries,
                 .all = true,
                 .err = err};
    spmv__assembly to = assembly_of(&job, &store);
    bool places;
    spmv_status st;

    *done = false;
    if (stream == NULL) in.bytes = in.end - in.p;
    in.block_bytes = block_bytes > 0 ? block_bytes : spmv__text_block_bytes(in.end - in.p, threads);
    SPMV__TRY(fill_buckets(&job, &in, &store, threads, err));
    if (in.sum.verdict == SPMV__MTX_FAULT && stream == NULL) st = spmv__mtx_find_fault(reader, err);
    if (in.sum.verdict != SPMV__MTX_READ) goto done;
    SPMV__TRY(spmv__assemble(&to, threads, err));
    if (to.merged > 0 && is_ambiguous(&in, &to)) goto done;
    places = wants_places(&in, reader, to.merged);
    if (places && stream != NULL) goto done;
    add_oddities(&reader->text, &in.sum.text);
    if (places) SPMV__TRY(report_merged(reader, &to, in.block_bytes, err));
    info->skipped = in.sum.skipped;
    info->duplicates = to.merged;
    *out = to.A;
    if (job.images == SPMV_GENERAL) out->symmetry = header->symmetry;
    to.A = (spmv_csr){0};
    *done = true;
done:
    spmv_csr_destroy(&to.A);
    spmv__bucket_store_close(&store);
    return st;
}

/* ---- A share of it -------------------------------------------------------------------------- */

/* Returns whether there is anything to be told. */
static bool is_remarkable(const spmv__mtx_tally *sum)
{
    int64_t odd = sum->skipped;
    for (int i = 0; i < SPMV__ODDITIES; i++) odd += sum->text.count[i];
    return odd > 0;
}

spmv_status spmv__mtx_read_share(spmv_csr *out, spmv__mtx_reader *reader,
                                 const unsigned char *begin, const unsigned char *end,
                                 int64_t *given)
{
    const int threads = spmv__threads(reader->options->threads);
    spmv__bucket_store store = {0};
    const spmv__mtx_job job = job_of(reader);
    intake in = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .p = begin,
                 .end = end,
                 .bytes = end - begin,
                 .block_bytes = spmv__text_block_bytes(end - begin, threads),
                 .declared = reader->header.entries};
    spmv__assembly to = assembly_of(&job, &store);
    spmv_status st;
    SPMV__TRY(fill_buckets(&job, &in, &store, threads, NULL));
    if (in.sum.verdict != SPMV__MTX_READ || is_remarkable(&in.sum)) st = SPMV_ERROR_UNSUPPORTED;
    if (st != SPMV_SUCCESS) goto done;
    SPMV__TRY(spmv__assemble(&to, threads, NULL));
    if (to.merged > 0) st = SPMV_ERROR_UNSUPPORTED;
    *given = in.sum.given;
    *out = to.A;
    to.A = (spmv_csr){0};
done:
    spmv_csr_destroy(&to.A);
    spmv__bucket_store_close(&store);
    return st;
}
