/* write_part.c -- rows of all ranks to one binary file.
 *
 * Rank 0 opens it and tells the others where: each writes the bytes that it has to their places.
 * A block of a checksum belongs to the rank that has its first byte; those after it that have the
 * rest of it send that.  The table of checksums comes last. */
#include "core/comm/transport.h"
#include "formats/binary/binary_front.h"
#include "formats/stream/output_file.h"
#include "formats/stream/sink.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct joint_file {
    spmv_comm *comm;
    const spmv_part *part;
    spmv__sink *sink;
    spmv__binary_front front; /* that of rank 0; the labels lie only there */
    int64_t *row_ptr;         /* [own rows + 1] of the whole matrix */
    int64_t *begin;           /* [size + 1] where the bytes of each rank begin in a section */
    int64_t *first;           /* [size] entries before each rank */
    unsigned char *block;     /* [SPMV__BINARY_BLOCK] the last one of this rank */
    spmv__message *message;   /* [size] */
} joint_file;

/* ---- Opening -------------------------------------------------------------------------------- */

static spmv_status make_front(joint_file *f, const spmv_labels *labels, spmv_error *err)
{
    const spmv_part *part = f->part;
    const spmv_matrix C =
        spmv__blank(SPMV_CSR, part->own.type, SPMV_GENERAL, part->rows, part->cols, part->nnz);
    return spmv__binary_front_make(&f->front, &C, labels, err);
}

/* A pipe can be opened only once: its reader takes the first closing for the end. */
static bool is_pipe(const char *name)
{
    struct stat info;
    return spmv__is_stdout(name) || (stat(name, &info) == 0 && !S_ISREG(info.st_mode));
}

/* On rank 0: `path` becomes what the others join by. */
static spmv_status open_first(joint_file *f, char path[PATH_MAX], const char *name,
                              const spmv_write_options *options, const spmv_labels *labels,
                              spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(make_front(f, labels, err));
    if (!is_pipe(name)) SPMV__TRY(spmv__sink_open(&f->sink, name, options, err));
    if (f->sink == NULL || !spmv__sink_has_places(f->sink))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "one process writes this file");
    SPMV__TRY(spmv__sink_share(f->sink, path, PATH_MAX, err));
done:
    return st;
}

/* The others find the file, unless they see other folders. */
static spmv_status open_file(joint_file *f, const char *name, const spmv_write_options *options,
                             const spmv_labels *labels, spmv_error *err)
{
    const bool root = f->comm->rank == 0;
    char path[PATH_MAX] = "";
    spmv_status st = root ? open_first(f, path, name, options, labels, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(f->comm, st, err));
    spmv__comm_broadcast(f->comm, path, sizeof path, 0);
    spmv__comm_broadcast(f->comm, &f->front, sizeof f->front, 0);
    if (!root) st = spmv__sink_join(&f->sink, path, name, options, err);
    if (st == SPMV_ERROR_FILE_IO)
        st = spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "rank %d does not find it", f->comm->rank);
    SPMV__TRY(spmv_comm_agree(f->comm, st, err));
done:
    return st;
}

static spmv_status create_buffers(joint_file *f, spmv_error *err)
{
    const spmv_csr *own = &f->part->own;
    const int64_t size = f->comm->size;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&f->row_ptr, own->rows + 1, sizeof *f->row_ptr, "rows to write", err));
    SPMV__TRY(spmv__alloc(&f->begin, size + 1, sizeof *f->begin, "an output", err));
    SPMV__TRY(spmv__alloc(&f->first, size, sizeof *f->first, "an output", err));
    SPMV__TRY(spmv__alloc(&f->block, SPMV__BINARY_BLOCK, 1, "an output buffer", err));
    SPMV__TRY(spmv__alloc(&f->message, size, sizeof *f->message, "messages", err));
    for (int64_t r = 0; r <= own->rows; r++) f->row_ptr[r] = f->part->first_entry + own->row_ptr[r];
done:
    return st;
}

/* ---- Sections ------------------------------------------------------------------------------- */

/* What a rank has of a section. */
typedef struct owned_bytes {
    const unsigned char *data;
    int64_t begin, end; /* in the section */
} owned_bytes;

/* The end of the block in which byte `at` lies, or begins; `at` where it is between two. */
static int64_t block_end(int64_t at)
{
    return (at + SPMV__BINARY_BLOCK - 1) / SPMV__BINARY_BLOCK * SPMV__BINARY_BLOCK;
}

/* Where the bytes of a rank end that are in a block which begins on a rank before it. */
static int64_t head_end(const joint_file *f, int rank)
{
    const int64_t end = block_end(f->begin[rank]);
    return end < f->begin[rank + 1] ? end : f->begin[rank + 1];
}

/* The rank that has the first byte of the block in which byte `at` lies. */
static int owner_of(const joint_file *f, int64_t at)
{
    const int64_t first = at / SPMV__BINARY_BLOCK * SPMV__BINARY_BLOCK;
    int k = 0;
    while (f->begin[k + 1] <= first) k++;
    return k;
}

/* Complete the last block of this rank, of which it has the bytes from `first` on; *size = how many
 * there are then, 0 where it has none. */
static spmv_status complete_block(joint_file *f, const owned_bytes *own, int64_t first,
                                  int64_t *size, spmv_error *err)
{
    const int rank = f->comm->rank;
    const int64_t head = head_end(f, rank) - own->begin;
    spmv__message give = {0};
    int takes = 0;
    *size = own->end - first;
    memcpy(f->block, own->data + (first - own->begin), (size_t)*size);
    for (int k = rank + 1; *size > 0 && k < f->comm->size; k++) {
        const int64_t n = head_end(f, k) - f->begin[k];
        if (n == 0 || f->begin[k] >= first + SPMV__BINARY_BLOCK) continue;
        f->message[takes++] = (spmv__message){k, f->block + (f->begin[k] - first), n};
        *size = f->begin[k] + n - first;
    }
    if (head > 0)
        give = (spmv__message){owner_of(f, own->begin), (void *)(uintptr_t)own->data, head};
    return spmv__exchange_once(f->comm, f->message, takes, &give, head > 0, err);
}

/* Write what this rank has, and find the checksum of all. */
static spmv_status write_section(joint_file *f, spmv__binary_section *s, const owned_bytes *own,
                                 spmv_error *err)
{
    const int64_t whole = head_end(f, f->comm->rank); /* where blocks of this rank begin, */
    const int64_t last = own->end / SPMV__BINARY_BLOCK * SPMV__BINARY_BLOCK;
    const int64_t rest = last > whole ? last : whole; /* and where the last one does */
    int64_t size;
    uint64_t sum = 0;
    const spmv_status st = complete_block(f, own, rest, &size, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__sink_write_at(f->sink, own->data, (size_t)(own->end - own->begin),
                        (int64_t)s->offset + own->begin);
    if (rest > whole)
        sum = spmv__binary_blocks_checksum(own->data + (whole - own->begin), rest - whole,
                                           whole / SPMV__BINARY_BLOCK);
    if (size > 0) sum += spmv__binary_block_checksum(f->block, size, rest / SPMV__BINARY_BLOCK);
    s->checksum = spmv__comm_sum_words(f->comm, sum);
    return spmv_comm_agree(f->comm, spmv__sink_status(f->sink, err), err);
}

/* Which bytes of an array of entries, `size` for each, the ranks have. */
static void place_entries(joint_file *f, int64_t size)
{
    for (int k = 0; k < f->comm->size; k++) f->begin[k] = f->first[k] * size;
    f->begin[f->comm->size] = f->part->nnz * size;
}

/* The same of row_ptr, whose last element the last rank has, and of what rank 0 has alone. */
static void place_rows(joint_file *f)
{
    const int64_t size = sizeof *f->row_ptr;
    for (int k = 0; k <= f->comm->size; k++) f->begin[k] = f->part->row_begin[k] * size;
    f->begin[f->comm->size] += size;
}

static void place_first(joint_file *f, int64_t bytes)
{
    f->begin[0] = 0;
    for (int k = 1; k <= f->comm->size; k++) f->begin[k] = bytes;
}

/* Write section i, which is one of the arrays of CSR, or the labels. */
static spmv_status write_any(joint_file *f, uint32_t i, spmv_error *err)
{
    spmv__binary_section *s = &f->front.table[i];
    const spmv_csr *own = &f->part->own;
    const int rank = f->comm->rank;
    const void *data = rank == 0 ? f->front.data[i] : NULL;
    if (spmv__binary_name_is(&s->name, "row_ptr")) {
        place_rows(f);
        data = f->row_ptr;
    } else if (spmv__binary_name_is(&s->name, "col_idx")) {
        place_entries(f, sizeof *own->col_idx);
        data = own->col_idx;
    } else if (spmv__binary_name_is(&s->name, "val")) {
        place_entries(f, (int64_t)spmv_type_size(own->type));
        data = own->val;
    } else {
        place_first(f, (int64_t)s->size);
    }
    const owned_bytes bytes = {data != NULL ? data : f->block, f->begin[rank], f->begin[rank + 1]};
    return write_section(f, s, &bytes, err);
}

/* ---- The file ------------------------------------------------------------------------------- */

/* What stands before the sections, and where they end. */
static void write_front(joint_file *f)
{
    const spmv__binary_header *header = &f->front.header;
    const int64_t size = spmv__binary_front_size(header);
    const spmv__binary_seal seal = spmv__binary_seal_of(&f->front);
    spmv__sink_write_at(f->sink, &f->front, (size_t)size, 0);
    spmv__sink_write_at(f->sink, &seal, sizeof seal, size);
}

static spmv_status write_all(joint_file *f, spmv_error *err)
{
    const int64_t first = f->part->first_entry;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(f->comm, create_buffers(f, err), err));
    spmv__comm_all_gather(f->comm, &first, sizeof first, f->first);
    spmv__sink_expect(f->sink, (int64_t)f->front.header.file_size / f->comm->size);
    if (f->comm->rank == 0)
        spmv__sink_write_at(f->sink, "", 1, (int64_t)f->front.header.file_size - 1);
    SPMV__TRY(spmv_comm_agree(f->comm, SPMV_SUCCESS, err)); /* the file has its length */
    for (uint32_t i = 0; i < f->front.header.section_count; i++) SPMV__TRY(write_any(f, i, err));
    if (f->comm->rank == 0)
        write_front(f);
    else
        st = spmv__sink_commit(&f->sink, err);
    SPMV__TRY(spmv_comm_agree(f->comm, st, err));
    if (f->comm->rank == 0) st = spmv__sink_commit(&f->sink, err);
    SPMV__TRY(spmv_comm_agree(f->comm, st, err));
done:
    return st;
}

spmv_status spmv__binary_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                                    const spmv_write_options *options, const spmv_labels *labels,
                                    spmv_error *err)
{
    joint_file f = {.comm = comm, .part = part};
    spmv_status st;
    SPMV__TRY(open_file(&f, path, options, labels, err));
    SPMV__TRY(write_all(&f, err));
done:
    spmv__sink_discard(f.sink);
    free(f.row_ptr);
    free(f.begin);
    free(f.first);
    free(f.block);
    free(f.message);
    return st;
}
