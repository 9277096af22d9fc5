/* binary.h -- the layout of a binary file, and what its writer and reader share.
 *
 *     0                     header             192 bytes
 *     192                   section table      64 bytes for each of n sections
 *     192 + 64 n            seal               checksum of all bytes before it, zeros up to 64
 *     256 + 64 n            sections           arrays of the matrix as they lie in memory
 *
 * One layout serves every format: the header names format, value type and symmetry, and the
 * sections are the arrays that the format's record (spmv__format) lists, so a new format or value
 * type needs no new version.  spmv-formats(5) is the specification.
 *
 * All numbers are little-endian.  A section begins at the first multiple of 64 after the end of
 * what precedes it; the bytes between are zero and there are no others, so that equal matrices
 * give equal files and nothing can hide in one.  64 is a cache line and the widest vector
 * register; more (a page) would gain nothing, as the file is mapped whole, and would turn a matrix
 * of 100 bytes into 16 kB. */
#pragma once

#include "core/matrix/format.h"
#include "formats/stream/input.h"

#include <assert.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "binary files are used in place: a big-endian machine needs a reader that swaps bytes"
#endif

/* A signature as in PNG: not text (0x89), a name, and line ends that a transfer in text mode would
 * change. */
#define SPMV__BINARY_MAGIC "\x89SPM\r\n\x1a\n"

enum {
    SPMV__BINARY_ENDIAN = 0x01020304, /* reads 0x04030201 in a file of the other byte order */
    SPMV__BINARY_MAJOR = 1,           /* raised when older readers must not read the file */
    SPMV__BINARY_MINOR = 0,           /* raised for additions that they can ignore */
    SPMV__BINARY_ALIGN = 64,
    SPMV__BINARY_SECTIONS = 64,      /* at most */
    SPMV__BINARY_PARAMS = 8,         /* at most */
    SPMV__BINARY_BLOCK = 1024 * 1024 /* bytes of one block of a checksum */
};

/* No size in a file exceeds this: one more can be added without overflow. */
#define SPMV__BINARY_SIZE_LIMIT (UINT64_C(1) << 62)

/* The flag of a section that a reader who does not know its name may skip. */
#define SPMV__BINARY_OPTIONAL UINT64_C(1)

/* An optional feature: rows without labels of their own are called 0, 1, ... and not 1, 2, ... */
#define SPMV__BINARY_FROM_0 UINT64_C(1)

/* The optional section of labels, for a square matrix: i64 [rows], ascending and not negative; or
 * utf8, a word for each row with a 0 after it, by ascending bytes. */
#define SPMV__BINARY_LABELS "labels"
#define SPMV__BINARY_WORDS "utf8"

/* Text of a field: padded with zeros, of which there is at least one. */
typedef struct spmv__binary_name {
    char text[16];
} spmv__binary_name;

typedef struct spmv__binary_header {
    unsigned char magic[8];
    uint32_t endian;                      /* SPMV__BINARY_ENDIAN */
    uint16_t major, minor;                /* version of the container */
    uint64_t file_size;                   /* bytes of the whole file */
    uint32_t section_count;               /* rows of the table */
    uint32_t param_count;                 /* parameters that the format has */
    uint64_t required;                    /* features that a reader must know: none yet */
    uint64_t optional;                    /* features that a reader may ignore */
    spmv__binary_name format;             /* "csr" */
    spmv__binary_name type;               /* of the values: "pattern", "f32", ... */
    spmv__binary_name symmetry;           /* of the stored entries: "general", ... */
    uint64_t rows, cols, nnz;             /* as in spmv_head */
    uint64_t params[SPMV__BINARY_PARAMS]; /* as in the format's record; unused ones are 0 */
    uint64_t reserved;                    /* 0 */
} spmv__binary_header;

typedef struct spmv__binary_section {
    spmv__binary_name name;    /* of the array: "row_ptr" */
    spmv__binary_name element; /* "i32", "i64", or the type of the values */
    uint64_t offset;           /* of its first byte in the file */
    uint64_t size;             /* in bytes */
    uint64_t checksum;         /* spmv__binary_checksum of its bytes */
    uint64_t flags;            /* 0, or SPMV__BINARY_OPTIONAL */
} spmv__binary_section;

typedef struct spmv__binary_seal {
    uint64_t checksum; /* of header and table */
    uint64_t zero[7];
} spmv__binary_seal;

static_assert(sizeof(spmv__binary_header) == 192, "size in the file");
static_assert(sizeof(spmv__binary_section) == 64, "size in the file");
static_assert(sizeof(spmv__binary_seal) == SPMV__BINARY_ALIGN, "the sections follow aligned");

/* offset, raised to the next place where a section may begin.  offset <= INT64_MAX. */
static inline uint64_t spmv__binary_align(uint64_t offset)
{
    return (offset + SPMV__BINARY_ALIGN - 1) / SPMV__BINARY_ALIGN * SPMV__BINARY_ALIGN;
}

/* Sum over k, modulo 2^64, of XXH3-64 with seed k of block k: data cut into blocks of
 * SPMV__BINARY_BLOCK bytes, the last one shorter.  A sum, so that threads share the work. */
uint64_t spmv__binary_checksum(const void *data, int64_t size);

/* What the blocks of one of `shares` shares add to that sum. */
uint64_t spmv__binary_checksum_share(const void *data, int64_t size, int share, int shares);

/* What `size` bytes add to it of which the first begin block k. */
uint64_t spmv__binary_blocks_checksum(const void *data, int64_t size, int64_t k);

/* What block k adds to it. */
uint64_t spmv__binary_block_checksum(const void *block, int64_t size, int64_t k);

/* Names of fields. */
extern const char *const spmv__symmetry_names[SPMV_SYMMETRIES]; /* by spmv_symmetry */
const char *spmv__element_name(spmv__element element, spmv_type type);
spmv__binary_name spmv__binary_name_of(const char *text);
bool spmv__binary_name_is(const spmv__binary_name *name, const char *text);

/* Text to print of a name that a file gives: its unprintable bytes become '?'. */
spmv__binary_name spmv__binary_printable(const spmv__binary_name *name);

/* Returns whether this is one of our files, whole or recognisably damaged. */
bool spmv__binary_recognise(const unsigned char *data, int64_t size);

/* The checks of a file that do not depend on its format; after them header, table and the places
 * of the sections can be trusted, their contents cannot.  Time O(sections).
 * Errors: INVALID_FORMAT, UNSUPPORTED (version, byte order, required features). */
spmv_status spmv__binary_check_header(const spmv__source *src, spmv_error *err);
spmv_status spmv__binary_check_table(const spmv__source *src, spmv_error *err);

/* The matrix of a file that passed them; its arrays lie in src->data, its storage is still NULL,
 * and neither the values of offsets and indices nor the checksums have been looked at. Errors:
 * INVALID_FORMAT, UNSUPPORTED (format, value type, symmetry, a required section). */
spmv_status spmv__binary_map(spmv_matrix *out, const spmv__source *src, spmv_error *err);

/* What a file that passed them calls its rows; the ids are copied.  Time O(rows).
 * Errors: INVALID_FORMAT, OUT_OF_MEMORY; strict: INVALID_FORMAT for labels of an unknown kind. */
spmv_status spmv__binary_labels(spmv_labels *out, const spmv_matrix *A, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err);

/* Take this rank's rows of a general matrix in CSR, of which all ranks have mapped the file.  The
 * checksums are shared out, and each rank checks its rows.  A failure, which all ranks have
 * together, only says that one process has to read the file, and to say what is wrong, if anything
 * is. */
spmv_status spmv__binary_read_part(spmv_part *out, spmv_comm *comm, const spmv__source *src,
                                   spmv_partition by);

/* Write a matrix of which each rank has some rows to one file, each rank its own.  labels: those of
 * rank 0 count.  Errors, which all ranks have together: those of spmv_write; UNSUPPORTED also where
 * the file is one that only one process can write, or not all find it. */
spmv_status spmv__binary_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                                    const spmv_write_options *options, const spmv_labels *labels,
                                    spmv_error *err);

/* Say what is wrong with the file. */
#define SPMV__BINARY_INVALID(src, err, ...) \
    spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0, __VA_ARGS__)
#define SPMV__BINARY_UNSUPPORTED(src, err, ...) \
    spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0, __VA_ARGS__)

static inline const spmv__binary_header *spmv__binary_header_of(const spmv__source *src)
{
    return (const spmv__binary_header *)(const void *)src->data;
}

static inline const spmv__binary_section *spmv__binary_table_of(const spmv__source *src)
{
    return (const spmv__binary_section *)(const void *)(src->data + sizeof(spmv__binary_header));
}
