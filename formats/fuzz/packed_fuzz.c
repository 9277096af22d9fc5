/* packed_fuzz.c -- any bytes as a file of whatever compression, archive or format they begin like.
 *
 * Mutations go to the decoders as they are.  Headers of a tar archive mostly get the checksum that
 * they need to be looked at. */
#include "fuzz.h"

#include <string.h>

enum { BLOCK = 512, SIZE = 124, CHECKSUM = 148, MAGIC = 257 };

static size_t octal(const uint8_t *p, int digits)
{
    size_t value = 0;
    for (int i = 0; i < digits; i++) value = value << 3 | (p[i] & 7);
    return value;
}

static void seal(uint8_t *header)
{
    unsigned sum = 0;
    memset(header + CHECKSUM, ' ', 8);
    for (int i = 0; i < BLOCK; i++) sum += header[i];
    for (int i = 5; i >= 0; i--, sum >>= 3) header[CHECKSUM + i] = (uint8_t)('0' | (sum & 7));
    header[CHECKSUM + 6] = 0;
}

/* Every header that follows from the sizes of those before it. */
static void reseal_tar(uint8_t *data, size_t size)
{
    for (size_t at = 0; at + BLOCK <= size && memcmp(data + at + MAGIC, "ustar", 5) == 0;) {
        seal(data + at);
        at += BLOCK * (1 + (octal(data + at + SIZE, 11) + BLOCK - 1) / BLOCK);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
    size = LLVMFuzzerMutate(data, size, room);
    if (seed % 4 != 0) reseal_tar(data, size);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options options = fuzz_options(size);
    fuzz_matrix(data, size, &options);
    return 0;
}
