/* read_bytes_test.c -- what was written comes back, packed or not. */
#include "core/base/base.h"
#include "formats/file/scratch_folder_test.h"

#include <string.h>

TestSuite(read_bytes, .init = open_folder, .fini = remove_folder);

static void check(const char *path, const char *data, size_t size, const char *packing)
{
    const char *compression = "?";
    char *text;
    size_t read;
    spmv_error err = {0};
    cr_assert_eq(spmv_write_bytes(data, size, path, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_read_bytes(&text, &read, &compression, path, &err), SPMV_SUCCESS, "%s: %s",
                 path, err.message);
    cr_assert_eq(read, size, "%s", path);
    cr_assert_arr_eq(text, data, size, "%s", path);
    cr_assert_eq(text[size], '\0', "%s", path);
    cr_assert(packing == NULL ? compression == NULL : strcmp(compression, packing) == 0, "%s",
              path);
    free(text);
    cr_assert_eq(unlink(path), 0);
}

Test(read_bytes, plain_and_empty)
{
    check("plain", "a\0b\n", 4, NULL);
    check("empty", "", 0, NULL);
}

Test(read_bytes, packed)
{
    static char much[100000];
    for (size_t i = 0; i < sizeof much; i++) much[i] = (char)('a' + i % 23);
    check("much.gz", much, sizeof much, "gzip");
    check("little.gz", "x", 1, "gzip");
}

Test(read_bytes, what_is_not_there)
{
    char *text = (char *)1;
    size_t size = 1;
    spmv_error err = {0};
    cr_assert_eq(spmv_read_bytes(&text, &size, NULL, "missing", &err), SPMV_ERROR_FILE_IO);
    cr_assert_str_eq(err.file, "missing");
    cr_assert_null(text);
    cr_assert_eq(spmv_read_bytes(&text, &size, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
}
