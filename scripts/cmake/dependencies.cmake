# dependencies.cmake -- what spmv needs and what it can use, each looked for in one place.
#
# Sets the targets OpenMP::OpenMP_C, Threads::Threads, PkgConfig::{cjson,criterion,libpng}, the object
# library spmv_mmio, xxhash_INCLUDE_DIRS, SPMV_HAVE_CUDA, and SPMV_HAVE_<NAME> (0 or 1) of HDF5,
# matio, Expat, MPI and the libraries that unpack files.  What is needed and absent is named all at once,
# with the package that brings it on Debian and Ubuntu.

set(missing "")

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash libxxhash)
pkg_check_modules(cjson IMPORTED_TARGET libcjson)
pkg_check_modules(criterion IMPORTED_TARGET criterion)
pkg_check_modules(libpng IMPORTED_TARGET libpng)
find_package(dragonbox QUIET CONFIG)
find_package(FastFloat QUIET CONFIG)
if(NOT xxhash_FOUND)
    list(APPEND missing "  xxHash: libxxhash-dev")
endif()
if(NOT cjson_FOUND)
    list(APPEND missing "  cJSON: libcjson-dev")
endif()
if(NOT dragonbox_FOUND)
    list(APPEND missing "  Dragonbox: libdragonbox-dev")
endif()
if(NOT FastFloat_FOUND)
    list(APPEND missing "  fast_float: libfast-float-dev")
endif()

# The name under which a library is loaded while a program runs; empty for a static one.
function(spmv_soname out library)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
    string(REGEX MATCH "SONAME +([^ \n]+)" found "${headers}")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Packed files: every library is optional, and not all of them have a file for pkg-config.  To
# build without one: -DSPMV_LIB_ZSTD=OFF.
set(SPMV_PACKINGS "")
set(SPMV_PACKING_LIBS "")
foreach(row ISAL:isal:isa-l/igzip_lib.h ZLIB:z:zlib.h BZIP2:bz2:bzlib.h XZ:lzma:lzma.h
        ZSTD:zstd:zstd.h ARCHIVE:archive:archive.h)
    string(REGEX MATCH "(.*):(.*):(.*)" row ${row})
    set(name ${CMAKE_MATCH_1})
    set(library ${CMAKE_MATCH_2})
    find_library(SPMV_LIB_${name} ${library})
    find_path(SPMV_INCLUDE_${name} ${CMAKE_MATCH_3})
    mark_as_advanced(SPMV_LIB_${name} SPMV_INCLUDE_${name})
    list(APPEND SPMV_PACKINGS ${name})
    set(SPMV_HAVE_${name} 0)
    if(SPMV_LIB_${name} AND SPMV_INCLUDE_${name})
        set(SPMV_HAVE_${name} 1)
        list(APPEND SPMV_PACKING_LIBS ${library})
    endif()
endforeach()

# libarchive is loaded by the first file that needs it, and not linked.
list(REMOVE_ITEM SPMV_PACKING_LIBS archive)
set(SPMV_ARCHIVE_SONAME "")
if(SPMV_HAVE_ARCHIVE)
    spmv_soname(SPMV_ARCHIVE_SONAME ${SPMV_LIB_ARCHIVE})
endif()
if(NOT SPMV_ARCHIVE_SONAME)
    set(SPMV_HAVE_ARCHIVE 0)
endif()

# So are those of binsparse files (HDF5, as Debian names it), MATLAB files and GraphML.
foreach(row HDF5:hdf5_serial:hdf5.h MATIO:matio:matio.h EXPAT:expat:expat.h)
    string(REGEX MATCH "(.*):(.*):(.*)" row ${row})
    set(name ${CMAKE_MATCH_1})
    find_library(SPMV_LIB_${name} ${CMAKE_MATCH_2})
    find_path(SPMV_INCLUDE_${name} ${CMAKE_MATCH_3} PATH_SUFFIXES hdf5/serial)
    mark_as_advanced(SPMV_LIB_${name} SPMV_INCLUDE_${name})
    set(SPMV_HAVE_${name} 0)
    if(SPMV_LIB_${name} AND SPMV_INCLUDE_${name})
        spmv_soname(SPMV_${name}_SONAME ${SPMV_LIB_${name}})
        if(SPMV_${name}_SONAME)
            set(SPMV_HAVE_${name} 1)
        endif()
    endif()
endforeach()

# So is MPI.  To build without it: -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON.
find_package(MPI QUIET COMPONENTS C)
set(SPMV_HAVE_MPI 0)
if(MPI_C_FOUND)
    set(found ${MPI_C_LIBRARIES})
    list(FILTER found INCLUDE REGEX "/libmpi(ch)?\\.")
    if(found)
        list(GET found 0 SPMV_LIB_MPI)
        spmv_soname(SPMV_MPI_SONAME ${SPMV_LIB_MPI})
    endif()
    if(SPMV_MPI_SONAME)
        set(SPMV_HAVE_MPI 1)
    endif()
endif()

# Peers of spmv-bench.  cuSPARSE comes with CUDA, see below.
find_library(SPMV_LIB_GRAPHBLAS graphblas)
find_path(SPMV_INCLUDE_GRAPHBLAS GraphBLAS.h PATH_SUFFIXES suitesparse)
find_library(SPMV_LIB_MKL mkl_rt PATHS $ENV{MKLROOT}/lib PATH_SUFFIXES intel64)
find_path(SPMV_INCLUDE_MKL mkl_spblas.h PATHS $ENV{MKLROOT}/include PATH_SUFFIXES mkl)
mark_as_advanced(SPMV_LIB_GRAPHBLAS SPMV_INCLUDE_GRAPHBLAS SPMV_LIB_MKL SPMV_INCLUDE_MKL)

# The Matrix Market routines of NIST come as source.  Debian 12 calls them ex72mmio, NIST and later
# releases mmio; ours include <mmio.h>.
file(GLOB mmio_places /usr/share/petsc/*/share/petsc/examples/src/mat/tests)
find_path(SPMV_MMIO_DIR NAMES mmio.h ex72mmio.h PATHS ${mmio_places}
    DOC "Folder of mmio.h and mmio.c (or ex72mmio.[ch]), the Matrix Market routines of NIST")
if(SPMV_MMIO_DIR)
    set(mmio mmio)
    if(NOT EXISTS ${SPMV_MMIO_DIR}/mmio.h)
        set(mmio ex72mmio)
        file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/mmio/mmio.h CONTENT "#include <ex72mmio.h>\n")
    endif()
    add_library(spmv_mmio OBJECT ${SPMV_MMIO_DIR}/${mmio}.c)
    target_include_directories(spmv_mmio SYSTEM INTERFACE
        ${PROJECT_BINARY_DIR}/mmio ${SPMV_MMIO_DIR})
    target_compile_options(spmv_mmio PRIVATE -w)
else()
    list(APPEND missing
        "  mmio: libpetsc*-dev-examples, or set SPMV_MMIO_DIR to the folder of mmio.[ch]")
endif()

if(SPMV_REQUIRE_TESTS AND NOT criterion_FOUND)
    list(APPEND missing "  Criterion, for the tests: libcriterion-dev")
endif()
if(missing)
    list(JOIN missing "\n" missing)
    message(FATAL_ERROR "Missing packages (scripts/quickstart installs them):\n${missing}")
endif()

# A GPU that is here decides the architecture; without one: Ampere, Hopper, and PTX for later.
if(NOT SPMV_CUDA STREQUAL "OFF")
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        file(GLOB gpus /dev/nvidia[0-9]*)
        if(gpus)
            set(CMAKE_CUDA_ARCHITECTURES native)
        else()
            set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
        endif()
    endif()
    # nvcc often lies outside PATH, where NVIDIA's packages put it.
    find_program(SPMV_NVCC nvcc PATHS /usr/local/cuda/bin)
    mark_as_advanced(SPMV_NVCC)
    if(SPMV_NVCC AND NOT DEFINED ENV{CUDACXX} AND NOT CMAKE_CUDA_COMPILER)
        set(CMAKE_CUDA_COMPILER ${SPMV_NVCC})
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(SPMV_HAVE_CUDA ON)
    elseif(SPMV_CUDA STREQUAL "ON")
        message(FATAL_ERROR "SPMV_CUDA is ON, but there is no CUDA compiler; put nvcc on PATH")
    endif()
endif()

execute_process(COMMAND python3 -c "import jsonschema"
    RESULT_VARIABLE no_jsonschema OUTPUT_QUIET ERROR_QUIET)
