/* reseal_test.h -- for tests: checksums made right after a change, so that the checks behind them
 * are reached. */
#pragma once

#include "formats/binary/binary.h"

/* The sections that the table places inside the file. */
static inline void reseal_sections(unsigned char *data, int64_t size)
{
    spmv__binary_header header;
    if (size < (int64_t)sizeof header) return;
    memcpy(&header, data, sizeof header);
    int64_t count = header.section_count;
    for (int64_t row = sizeof header; count-- > 0 && row + 64 <= size; row += 64) {
        spmv__binary_section section;
        memcpy(&section, data + row, sizeof section);
        const int64_t offset = (int64_t)section.offset, length = (int64_t)section.size;
        if (offset < 0 || offset > size || length < 0 || length > size - offset) continue;
        section.checksum = spmv__binary_checksum(data + offset, length);
        memcpy(data + row, &section, sizeof section);
    }
}

/* Header and table. */
static inline void reseal_header(unsigned char *data, int64_t size)
{
    spmv__binary_header header;
    if (size < (int64_t)sizeof header) return;
    memcpy(&header, data, sizeof header);
    const int64_t end = (int64_t)sizeof header + 64 * (int64_t)header.section_count;
    if (end + 8 > size) return;
    const uint64_t sum = spmv__binary_checksum(data, end);
    memcpy(data + end, &sum, sizeof sum);
}
