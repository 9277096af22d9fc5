/* npz_fuzz.c -- any bytes as NumPy's files: archives of arrays (.npz) and arrays (.npy).
 *
 * A mutation mostly changes one member of an archive and makes the archive anew around it, with
 * right sizes, checksum and directory, which chance would never find, so that what lies after
 * those checks is reached too. */
#include "formats/common/file_format.h"
#include "fuzz.h"

enum { MEMBERS = 10, NAME = 40, LARGEST = 1 << 12, LOCAL = 30, ENTRY = 46, END = 22 };

/* ---- Zip archives --------------------------------------------------------------------------- */

typedef struct member {
    char name[NAME];
    size_t name_size, size;
    uint8_t data[LARGEST];
} member;

static uint32_t load(const uint8_t *p, int bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0) value = value << 8 | p[bytes];
    return value;
}

static void store(uint8_t *p, int bytes, size_t value)
{
    for (int i = 0; i < bytes; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* The checksum of zip, bit by bit. */
static uint32_t crc32(const uint8_t *data, size_t size)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The members that are stored as they are, in the order of the directory, as far as they go. */
static int take_apart(member *members, const uint8_t *zip, size_t size)
{
    int count = 0;
    if (size < END || load(zip + size - END, 4) != 0x06054b50) return 0;
    size_t at = load(zip + size - 6, 4);
    while (count < MEMBERS && at + ENTRY <= size && load(zip + at, 4) == 0x02014b50) {
        member *m = &members[count];
        const size_t local = load(zip + at + 42, 4);
        const bool stored = load(zip + at + 10, 2) == 0;
        m->name_size = load(zip + at + 28, 2);
        m->size = load(zip + at + 20, 4);
        if (local + LOCAL > size || m->name_size > NAME || m->size > LARGEST) break;
        const size_t begin = local + LOCAL + load(zip + local + 26, 2) + load(zip + local + 28, 2);
        if (begin + m->size > size || at + ENTRY + m->name_size > size) break;
        memcpy(m->name, zip + at + ENTRY, m->name_size);
        memcpy(m->data, zip + begin, m->size);
        at += ENTRY + m->name_size + load(zip + at + 30, 2) + load(zip + at + 32, 2);
        count += stored;
    }
    return count;
}

/* What a header and the directory both say of a member, from the version on; returns its end. */
static uint8_t *write_facts(uint8_t *p, const member *m)
{
    store(p, 2, 20);
    store(p + 10, 4, crc32(m->data, m->size));
    store(p + 14, 4, m->size);
    store(p + 18, 4, m->size);
    store(p + 22, 2, m->name_size);
    return p + 26;
}

/* The archive of the members; 0 when there is no room for it. */
static size_t put_together(uint8_t *zip, size_t room, const member *members, int count)
{
    size_t at[MEMBERS], need = END;
    uint8_t *p = zip;
    for (int i = 0; i < count; i++)
        need += LOCAL + ENTRY + 2 * members[i].name_size + members[i].size;
    if (need > room) return 0;
    memset(zip, 0, need);
    for (int i = 0; i < count; i++) {
        const member *m = &members[i];
        at[i] = (size_t)(p - zip);
        store(p, 4, 0x04034b50);
        write_facts(p + 4, m);
        memcpy(p + LOCAL, m->name, m->name_size);
        memcpy(p + LOCAL + m->name_size, m->data, m->size);
        p += LOCAL + m->name_size + m->size;
    }
    const size_t directory = (size_t)(p - zip);
    for (int i = 0; i < count; i++) {
        store(p, 4, 0x02014b50);
        store(write_facts(p + 6, &members[i]) + 10, 4, at[i]);
        memcpy(p + ENTRY, members[i].name, members[i].name_size);
        p += ENTRY + members[i].name_size;
    }
    store(p, 4, 0x06054b50);
    store(p + 8, 2, (size_t)count);
    store(p + 10, 2, (size_t)count);
    store(p + 12, 4, (size_t)(p - zip) - directory);
    store(p + 16, 4, directory);
    return need;
}

/* ---- The target ----------------------------------------------------------------------------- */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
    static member members[MEMBERS];
    const int count = seed % 8 == 0 ? 0 : take_apart(members, data, size);
    if (count == 0) return LLVMFuzzerMutate(data, size, room);
    member *m = &members[seed / 8 % (unsigned)count];
    m->size = LLVMFuzzerMutate(m->data, m->size, LARGEST);
    const size_t made = put_together(data, room, members, count);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, room);
}

static void try_vector(const spmv_read_options *options)
{
    spmv_dense x;
    spmv_error err = {0};
    if (spmv_read_vector(&x, FUZZ_PATH, options, &err) != SPMV_SUCCESS)
        FUZZ_PROMISE(err.message[0] != '\0' && x.data == NULL);
    else
        spmv_dense_destroy(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const spmv_read_options options = fuzz_options(size);
    if (!spmv__npz_file.recognise(data, (int64_t)size) &&
        !spmv__npy_file.recognise(data, (int64_t)size))
        return 0;
    fuzz_matrix(data, size, &options);
    try_vector(&options);
    return 0;
}
