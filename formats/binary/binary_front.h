/* binary_front.h -- what stands before the arrays in a binary file. */
#pragma once

#include "formats/binary/binary.h"

/* Header and table as they lie in the file, and where the bytes of the sections are. */
typedef struct spmv__binary_front {
    spmv__binary_header header;
    spmv__binary_section table[SPMV__BINARY_SECTIONS];
    const void *data[SPMV__BINARY_SECTIONS];
} spmv__binary_front;

static_assert(offsetof(spmv__binary_front, table) == sizeof(spmv__binary_header),
              "the table follows the header");

/* The front of a file that holds A: all but the checksums of the sections.  Of the arrays only the
 * sizes are asked for.  Errors: UNSUPPORTED, INVALID_ARGUMENT (no array has such a size). */
spmv_status spmv__binary_front_make(spmv__binary_front *front, const spmv_matrix *A,
                                    const spmv_labels *labels, spmv_error *err);

/* Bytes of header and table; and what follows them, once all checksums are known. */
int64_t spmv__binary_front_size(const spmv__binary_header *h);
spmv__binary_seal spmv__binary_seal_of(const spmv__binary_front *front);
