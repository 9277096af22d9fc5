# optional.cmake -- what spmv uses where it is, each with a switch: SPMV_WITH_<NAME> is AUTO (use it where
# it is found), ON (it has to be found) or OFF.
#
# Sets SPMV_OPTIONAL, the names in the order in which the summary shows them, and of each SPMV_HAVE_<NAME>
# and, for the summary, SPMV_TITLE_<NAME>, SPMV_FOUND_<NAME> and SPMV_WITHOUT_<NAME>.  The CUDA compiler
# has a switch of the same kind, SPMV_CUDA.

# spmv_switch(NAME TITLE PACKAGE WITHOUT): declares one of these, and sets `wanted` unless it is OFF.
macro(spmv_switch name title package without)
    set(SPMV_WITH_${name} AUTO CACHE STRING "Use ${title}: AUTO (where it is found), ON or OFF")
    set_property(CACHE SPMV_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
    list(APPEND SPMV_OPTIONAL ${name})
    set(SPMV_TITLE_${name} "${title}")
    set(SPMV_PACKAGE_${name} "${package}")
    set(SPMV_WITHOUT_${name} "${without}")
    set(SPMV_HAVE_${name} 0)
    set(wanted OFF)
    if(SPMV_WITH_${name})
        set(wanted ON)
    endif()
endmacro()

# spmv_optional(NAME TITLE PACKAGE WITHOUT HEADER LIBRARY...): a header and a library.
macro(spmv_optional name title package without)
    spmv_switch(${name} "${title}" "${package}" "${without}")
    if(wanted)
        spmv_find(${name} ${ARGN})
        set(SPMV_FOUND_${name} "${SPMV_LIB_${name}}")
    endif()
endmacro()

spmv_switch(OPENMP "OpenMP" "gcc" "one CPU thread")
if(wanted)
    find_package(OpenMP QUIET COMPONENTS C)
    if(OpenMP_C_FOUND)
        set(SPMV_HAVE_OPENMP 1)
        set(SPMV_FOUND_OPENMP "${OpenMP_C_VERSION}")
    endif()
endif()

# ---- What unpacks files: linked, but for libarchive --------------------------------------------
set(SPMV_PACKINGS ISAL ZLIB BZIP2 XZ ZSTD ARCHIVE)
spmv_optional(ISAL "ISA-L" libisal-dev "zlib unpacks .gz" isa-l/igzip_lib.h LIBRARY isal)
spmv_optional(ZLIB "zlib" zlib1g-dev "no .gz is written" zlib.h LIBRARY z)
spmv_optional(BZIP2 "bzip2" libbz2-dev "no .bz2" bzlib.h LIBRARY bz2)
spmv_optional(XZ "xz" liblzma-dev "no .xz" lzma.h LIBRARY lzma)
spmv_optional(ZSTD "Zstandard" libzstd-dev "no .zst" zstd.h LIBRARY zstd)
set(SPMV_PACKING_LIBS "")
foreach(name ISAL ZLIB BZIP2 XZ ZSTD)
    if(SPMV_HAVE_${name})
        spmv_link_name(library ${SPMV_LIB_${name}})
        list(APPEND SPMV_PACKING_LIBS ${library})
    endif()
endforeach()

# ---- What is loaded by the first file, graph or mpirun that needs it -----------------------------
spmv_optional(ARCHIVE "libarchive" libarchive-dev "no archives, no .npz" archive.h LIBRARY archive)
spmv_optional(HDF5 "HDF5" libhdf5-dev "no binsparse files" hdf5.h
    LIBRARY hdf5_serial hdf5 hdf5_openmpi hdf5_mpich SUFFIXES hdf5/serial hdf5/openmpi hdf5/mpich)
spmv_optional(EXPAT "Expat" libexpat1-dev "no GraphML files" expat.h LIBRARY expat)
spmv_optional(MATIO "matio" libmatio-dev "no MATLAB files" matio.h LIBRARY matio)
spmv_optional(METIS "METIS" libmetis-dev "no --partition metis" metis.h LIBRARY metis)
spmv_switch(MPI "MPI" libopenmpi-dev "no runs of several processes")
if(wanted)
    find_package(MPI QUIET COMPONENTS C)
    set(found ${MPI_C_LIBRARIES})
    list(FILTER found INCLUDE REGEX "/libmpi(ch)?\\.")
    if(MPI_C_FOUND AND found)
        list(GET found 0 SPMV_LIB_MPI)
        set(SPMV_HAVE_MPI 1)
        set(SPMV_FOUND_MPI "${SPMV_LIB_MPI}, MPI ${MPI_C_VERSION}")
    endif()
endif()
# An HDF5 for several processes includes <mpi.h>.
file(GLOB hdf5_features ${SPMV_INCLUDE_HDF5}/H5pubconf*.h)
if(SPMV_HAVE_HDF5 AND NOT SPMV_HAVE_MPI)
    foreach(header ${hdf5_features})
        file(STRINGS ${header} parallel REGEX "define H5_HAVE_PARALLEL 1")
        if(parallel)
            set(SPMV_HAVE_HDF5 0)
            set(SPMV_WITHOUT_HDF5 "none that works without MPI, no binsparse files")
        endif()
    endforeach()
endif()
foreach(name ARCHIVE HDF5 EXPAT MATIO METIS MPI)
    if(SPMV_HAVE_${name})
        spmv_soname(SPMV_${name}_SONAME ${SPMV_LIB_${name}})
    endif()
    if(SPMV_${name}_SONAME)
        spmv_remember_folder(${SPMV_LIB_${name}} ${SPMV_${name}_SONAME})
    else()
        set(SPMV_HAVE_${name} 0)
    endif()
endforeach()

# spmv_loads(SOURCE LIBRARY...): this file of the library loads these, by the names that they have here.
function(spmv_loads source)
    foreach(name ${ARGN})
        set_property(SOURCE ${source} TARGET_DIRECTORY spmv
            APPEND PROPERTY COMPILE_DEFINITIONS SPMV_${name}_SONAME="${SPMV_${name}_SONAME}")
    endforeach()
endfunction()

# ---- What the tools and the tests use ----------------------------------------------------------
spmv_optional(PNG "libpng" libpng-dev "--spy draws SVG only" png.h LIBRARY png)
spmv_optional(GRAPHBLAS "GraphBLAS" libgraphblas-dev "no peer of this name" GraphBLAS.h
    LIBRARY graphblas SUFFIXES suitesparse)
spmv_optional(MKL "MKL" libmkl-dev "no peer of this name" mkl_spblas.h
    LIBRARY mkl_rt SUFFIXES mkl HINTS $ENV{MKLROOT} $ENV{MKLROOT}/lib/intel64)
spmv_optional(CRITERION "Criterion" libcriterion-dev "no unit tests" criterion/criterion.h
    LIBRARY criterion)

foreach(name ${SPMV_OPTIONAL})
    if(SPMV_WITH_${name} AND NOT SPMV_WITH_${name} STREQUAL "AUTO" AND NOT SPMV_HAVE_${name})
        list(APPEND missing
            "  ${SPMV_TITLE_${name}}: ${SPMV_PACKAGE_${name}}, or SPMV_WITH_${name}=OFF")
    endif()
endforeach()
