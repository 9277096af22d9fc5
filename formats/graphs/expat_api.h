/* expat_api.h -- Expat, which is loaded when the first file of XML needs it. */
#pragma once

#include "formats/stream/load_library.h"

#include <expat.h>

/* The functions that graphml.c uses. */
/* clang-format off */
#define EXPAT_API(X) \
    X(XML_ParserCreate) X(XML_ParserFree) X(XML_Parse) X(XML_StopParser) X(XML_SetUserData) \
    X(XML_SetElementHandler) X(XML_SetCharacterDataHandler) X(XML_SetStartDoctypeDeclHandler) \
    X(XML_GetErrorCode) X(XML_ErrorString) X(XML_GetCurrentByteIndex)
/* clang-format on */

static union {
    struct {
#define X(name) __typeof__(name) *name;
        EXPAT_API(X)
#undef X
    };
    void *all[1];
} expat;

static inline spmv_status expat_load(spmv_error *err)
{
#define X(name) SPMV__LIBRARY_NAME(name),
    static const char *const names[] = {EXPAT_API(X)};
#undef X
    return spmv__load_library(SPMV_EXPAT_SONAME, names, expat.all, sizeof names / sizeof *names,
                              err);
}
