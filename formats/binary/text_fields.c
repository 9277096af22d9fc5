/* text_fields.c -- the text fields of binary files.
 *
 * Formats, types and symmetries are stored by name: a dump of a file can be read, and no number
 * has to be set aside for a format to come. */
#include "formats/binary/binary.h"

#include <string.h>

const char *const spmv__symmetry_names[SPMV_SYMMETRIES] = {
    [SPMV_GENERAL] = "general",
    [SPMV_SYMMETRIC] = "symmetric",
    [SPMV_SKEW] = "skew",
    [SPMV_HERMITIAN] = "hermitian",
};

const char *spmv__element_name(spmv__element element, spmv_type type)
{
    static const char *const names[] = {[SPMV__I32] = "i32", [SPMV__I64] = "i64"};
    return element == SPMV__VALUE ? spmv_type_name(type) : names[element];
}

spmv__binary_name spmv__binary_name_of(const char *text)
{
    spmv__binary_name name = {{0}};
    for (size_t i = 0; i < sizeof name.text - 1 && text[i] != '\0'; i++) name.text[i] = text[i];
    return name;
}

bool spmv__binary_name_is(const spmv__binary_name *name, const char *text)
{
    spmv__binary_name expected = spmv__binary_name_of(text);
    return memcmp(name, &expected, sizeof expected) == 0;
}

spmv__binary_name spmv__binary_printable(const spmv__binary_name *name)
{
    spmv__binary_name printable = spmv__binary_name_of(name->text);
    for (char *p = printable.text; *p != '\0'; p++)
        if (*p < ' ' || *p > '~') *p = '?';
    return printable;
}
