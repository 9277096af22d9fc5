/* checksum_test.c -- the checksum of binary files, and of matrices in memory. */
#include "formats/binary/binary.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* Expected values from xxHash's own library through the reader in scripts/test-binary-reader. */
Test(binary_checksum, of_several_blocks)
{
    static const struct {
        int64_t size;
        uint64_t sum;
    } expected[] = {{0, 0},
                    {1, 0xc44bdff4074eecdb},
                    {1048576, 0x64dac8b39790f148},
                    {1048577, 0xbddc88eb0676855c},
                    {2621440, 0x0ba9f13b505dbf72},
                    {20971521, 0x36a703dde6111521}};
    enum { SIZE = 20971521 };
    unsigned char *data = malloc(SIZE);
    cr_assert_not_null(data);
    for (int64_t i = 0; i < SIZE; i++) data[i] = (unsigned char)((i * 7 + i / 256) % 251);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert_eq(spmv__binary_checksum(data, expected[i].size), expected[i].sum, "%" PRId64,
                     expected[i].size);
    free(data);
}

/* The same for a copy, and another one for a change of any part, also where nothing is stored. */
Test(binary_checksum, of_a_matrix)
{
    int64_t ptr[] = {0, 1, 2, 2}, other_ptr[] = {0, 1, 1, 2};
    int32_t col[] = {0, 1}, other_col[] = {0, 2};
    double val[] = {1, 2}, other_val[] = {1, 3};
    const spmv_csr A = {.type = SPMV_F64,
                        .rows = 3,
                        .cols = 3,
                        .nnz = 2,
                        .row_ptr = ptr,
                        .col_idx = col,
                        .val = val};
    spmv_csr B[7] = {A, A, A, A, A, A, A};
    B[0].row_ptr = other_ptr;
    B[1].col_idx = other_col;
    B[2].val = other_val;
    B[3].cols = 4;
    B[4].rows = 2;
    B[5].type = SPMV_PATTERN;
    B[5].val = NULL;
    B[6].nnz = 0;
    spmv_csr copy = A;
    copy.val = (double[]){1, 2};
    cr_assert_eq(spmv_csr_checksum(&copy), spmv_csr_checksum(&A));
    for (int i = 0; i < 7; i++)
        cr_assert_neq(spmv_csr_checksum(&B[i]), spmv_csr_checksum(&A), "%d", i);
}
