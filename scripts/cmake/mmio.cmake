# mmio.cmake -- the Matrix Market routines of NIST, which come as source: the object library spmv_mmio.
#
# Debian 12 calls the files ex72mmio, NIST and later releases of PETSc mmio; ours include <mmio.h>.  They
# are found where examples of PETSc are installed and where scripts/quickstart puts them, or taken out of
# SPMV_MMIO_ARCHIVE: Debian's package of them, a source archive of PETSc, or any other that holds both.
set(SPMV_MMIO_ARCHIVE "" CACHE FILEPATH
    "Archive that holds mmio.h and mmio.c: libpetsc*-dev-examples*.deb, petsc-*.tar.gz, ...")

# spmv_unpack_mmio(OUT ARCHIVE): the folder of the build that now holds what the archive has of them.
function(spmv_unpack_mmio out archive)
    set(folder ${PROJECT_BINARY_DIR}/mmio/unpacked)
    file(REMOVE_RECURSE ${folder})
    if(NOT EXISTS ${archive})
        message(FATAL_ERROR "SPMV_MMIO_ARCHIVE: there is no file ${archive}")
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar t ${archive} OUTPUT_VARIABLE members ERROR_QUIET)
    if(members MATCHES "data\\.tar[.a-z0-9]*") # a Debian package is an archive of archives
        file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder} PATTERNS ${CMAKE_MATCH_0})
        set(archive ${folder}/${CMAKE_MATCH_0})
        execute_process(COMMAND ${CMAKE_COMMAND} -E tar t ${archive} OUTPUT_VARIABLE members)
    endif()
    if(NOT members MATCHES "mmio\\.c\n")
        message(FATAL_ERROR "SPMV_MMIO_ARCHIVE: ${archive} holds neither mmio.c nor ex72mmio.c")
    endif()
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder} PATTERNS "*mmio.[ch]")
    file(GLOB_RECURSE sources ${folder}/mmio.c ${folder}/ex72mmio.c)
    list(GET sources 0 source)
    cmake_path(GET source PARENT_PATH folder)
    set(${out} ${folder} PARENT_SCOPE)
endfunction()

if(SPMV_MMIO_ARCHIVE)
    spmv_unpack_mmio(unpacked ${SPMV_MMIO_ARCHIVE})
    set(SPMV_MMIO_DIR ${unpacked} CACHE PATH "" FORCE)
endif()
string(REPLACE ":" ";" mmio_prefixes "$ENV{CMAKE_PREFIX_PATH}")
set(mmio_places ${CMAKE_PREFIX_PATH} ${mmio_prefixes} ${CMAKE_SYSTEM_PREFIX_PATH})
list(TRANSFORM mmio_places APPEND /share/petsc/examples/src/mat/tests)
file(GLOB debian_places /usr/share/petsc/*/share/petsc/examples/src/mat/tests)
find_path(SPMV_MMIO_DIR NAMES mmio.c ex72mmio.c
    PATHS ${mmio_places} ${debian_places} ${PROJECT_SOURCE_DIR}/build-mmio
    DOC "Folder of mmio.h and mmio.c (or ex72mmio.[ch]), the Matrix Market routines of NIST")
if(NOT SPMV_MMIO_DIR)
    list(APPEND missing "  mmio: libpetsc*-dev-examples; or SPMV_MMIO_DIR, the folder of mmio.[ch]; or \
SPMV_MMIO_ARCHIVE, what holds them")
    return()
endif()

set(mmio mmio)
if(NOT EXISTS ${SPMV_MMIO_DIR}/mmio.c)
    set(mmio ex72mmio)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/mmio/mmio.h CONTENT "#include <ex72mmio.h>\n")
endif()
add_library(spmv_mmio OBJECT ${SPMV_MMIO_DIR}/${mmio}.c)
target_include_directories(spmv_mmio SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/mmio ${SPMV_MMIO_DIR})
target_compile_options(spmv_mmio PRIVATE -w)
