/* no_graphml.c -- GraphML in a build without Expat: recognised, and refused. */
#include "formats/common/file_format.h"
#include "formats/graphs/graphml.h"

const spmv__file_format spmv__graphml_file = {
    .info = {.name = "graphml", .suffixes = ".graphml", .summary = "GraphML (not in this build)"},
    .recognise = spmv__graphml_recognise,
    .lacking = "GraphML files: it has no Expat",
};
