/* tar_test.h -- for tests: tar archives in memory, made header by header, so that they can be
 * wrong. */
#pragma once

#include "formats/stream/packed_test.h"

enum { TAR_BLOCK = 512 };

/* Checksum of the header at p, as it is to stand there. */
static inline void tar_seal(unsigned char *p)
{
    unsigned sum = 0;
    memset(p + 148, ' ', 8);
    for (int i = 0; i < TAR_BLOCK; i++) sum += p[i];
    sprintf((char *)p + 148, "%06o", sum);
}

/* Append a header (POSIX.1-1988): type '0' file, '1' hard link, '2' symbolic link, '3' and '4'
 * devices, '5' folder, '6' FIFO, 'L' long name that follows, 'x' attributes that follow. */
static inline bytes tar_header(bytes tar, const char *name, char type, uint64_t size)
{
    unsigned char header[TAR_BLOCK] = {0};
    memcpy(header, name, strlen(name) < 100 ? strlen(name) : 100);
    sprintf((char *)header + 100, "%07o", 0644);
    sprintf((char *)header + 108, "%07o", 0);
    sprintf((char *)header + 116, "%07o", 0);
    sprintf((char *)header + 124, "%011llo", (unsigned long long)size);
    sprintf((char *)header + 136, "%011o", 0);
    header[156] = (unsigned char)type;
    if (type == '1' || type == '2') strcpy((char *)header + 157, "/etc/passwd");
    memcpy(header + 257, "ustar\00000", 8);
    tar_seal(header);
    return append(tar, header, sizeof header);
}

/* Append a member: header, text, padding. */
static inline bytes tar_member(bytes tar, const char *name, char type, const char *text)
{
    static const char padding[TAR_BLOCK];
    const size_t size = strlen(text);
    tar = append(tar_header(tar, name, type, size), text, size);
    return append(tar, padding, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static inline bytes tar_file(bytes tar, const char *name, const char *text)
{
    return tar_member(tar, name, '0', text);
}

/* The two empty blocks that end an archive. */
static inline bytes tar_end(bytes tar)
{
    static const char zeros[2 * TAR_BLOCK];
    return append(tar, zeros, sizeof zeros);
}

static inline bytes tar_begin(void)
{
    return copy_bytes("", 0);
}
