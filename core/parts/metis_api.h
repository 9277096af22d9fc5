/* metis_api.h -- METIS, which is loaded when the first graph is cut. */
#pragma once

#include "core/base/load_library.h"

#include <metis.h>

/* The functions that partition_graph.c uses. */
#define METIS_API_OF_PARTS(X) X(METIS_SetDefaultOptions) X(METIS_PartGraphKway)

SPMV__LIBRARY(metis, METIS_API_OF_PARTS, SPMV_METIS_SONAME)
