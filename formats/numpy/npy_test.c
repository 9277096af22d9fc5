/* npy_test.c -- headers of NumPy arrays, as they are written and as they are read. */
#include "formats/numpy/npy.h"

#include <criterion/criterion.h>

/* What NumPy 1.24 writes for the same arrays. */
Test(npy, headers_are_those_of_numpy)
{
    static const struct {
        spmv__npy head;
        const char *text;
    } cases[] = {
        {{.kind = 'f', .size = 8, .dims = 2, .shape = {3, 4}},
         "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"},
        {{.kind = 'i', .size = 4, .dims = 1, .shape = {5}},
         "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }"},
        {{.kind = 'S', .size = 3}, "{'descr': '|S3', 'fortran_order': False, 'shape': (), }"},
        {{.kind = 'b', .size = 1, .dims = 1, .shape = {0}},
         "{'descr': '|b1', 'fortran_order': False, 'shape': (0,), }"},
        {{.kind = 'f', .size = 4, .fortran = true, .dims = 2, .shape = {INT64_MAX, 1}},
         "{'descr': '<f4', 'fortran_order': True, 'shape': (9223372036854775807, 1), }"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[SPMV__NPY_FORMATTED];
        const int64_t n = spmv__npy_format(out, &cases[i].head);
        const int64_t length = (int64_t)strlen(cases[i].text);
        cr_assert_eq(n, 128, "%s", cases[i].text);
        cr_assert_eq(memcmp(out, "\x93NUMPY\x01\x00\x76\x00", 10), 0);
        cr_assert_eq(memcmp(out + 10, cases[i].text, (size_t)length), 0, "%.118s", out + 10);
        for (int64_t k = 10 + length; k < n - 1; k++) cr_assert_eq(out[k], ' ');
        cr_assert_eq(out[n - 1], '\n');
    }
}

static spmv_status parse(const char *text, spmv__npy *head)
{
    char message[128] = "";
    const spmv_status st = spmv__npy_parse(head, text, (int64_t)strlen(text), message);
    cr_assert_eq(st == SPMV_SUCCESS, message[0] == '\0', "%s", text);
    return st;
}

Test(npy, headers_that_are_written_otherwise)
{
    static const char *const same[] = {
        "{'descr': '>c16', 'fortran_order': True, 'shape': (2, 3), }",
        "{'descr': '>c16', 'fortran_order': True, 'shape': (2, 3)}\n",
        "{'descr':'>c16','fortran_order':True,'shape':(2,3)}",
        "{\"shape\" : ( 2 , 3 , ) , \"fortran_order\" : True , \"descr\" : \">c16\"}   \n",
        "{'shape': (2L, 3L), 'fortran_order': True, 'descr': '>c16'}",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        spmv__npy head;
        cr_assert_eq(parse(same[i], &head), SPMV_SUCCESS, "%s", same[i]);
        cr_assert(head.kind == 'c' && head.size == 16 && head.big_endian && head.fortran);
        cr_assert(head.dims == 2 && head.shape[0] == 2 && head.shape[1] == 3 && head.count == 6);
    }
}

Test(npy, headers_without_elements)
{
    spmv__npy head;
    cr_assert_eq(parse("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", &head),
                 SPMV_SUCCESS);
    cr_assert(head.dims == 0 && head.count == 1);
    cr_assert_eq(parse("{'descr': '<i8', 'fortran_order': False, 'shape': "
                       "(9223372036854775807, 0, 9223372036854775807)}",
                       &head),
                 SPMV_SUCCESS);
    cr_assert(head.dims == 3 && head.count == 0);
}

Test(npy, headers_that_are_none)
{
    static const char *const bad[] = {
        "",
        "{",
        "}",
        "{}",
        "{'descr'",
        "{'descr': }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (0x3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1e1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [3]}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f9', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': 'f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f80', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<c0@', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
        "('descr', '<f8')",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        spmv__npy head;
        cr_assert_neq(parse(bad[i], &head), SPMV_SUCCESS, "%s", bad[i]);
    }
}
