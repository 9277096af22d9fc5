/* expat_api.h -- Expat, which is loaded when the first file of XML needs it. */
#pragma once

#include "core/base/load_library.h"

#include <expat.h>

/* The functions that graphml.c uses. */
/* clang-format off */
#define EXPAT_API(X) \
    X(XML_ParserCreate) X(XML_ParserFree) X(XML_Parse) X(XML_StopParser) X(XML_SetUserData) \
    X(XML_SetElementHandler) X(XML_SetCharacterDataHandler) X(XML_SetStartDoctypeDeclHandler) \
    X(XML_SetXmlDeclHandler) X(XML_GetErrorCode) X(XML_ErrorString) X(XML_GetCurrentByteIndex)
/* clang-format on */

SPMV__LIBRARY(expat, EXPAT_API, SPMV_EXPAT_SONAME)
