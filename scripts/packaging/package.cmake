# package.cmake -- `cpack -G DEB` makes Debian packages, one for each component of the installation:
# spmv (component tools), libspmv-dev (development) and, where the shared library is built, libspmv0
# (runtime).  `cpack -G TGZ` puts everything into one archive.
#
# Libraries that are linked are depended on as dpkg-shlibdeps finds them; those that are loaded when a file
# needs them are recommended by what loads them.

# packages_of(OUT FILE...): the Debian packages that the files belong to, separated by commas.
function(packages_of out)
    set(packages "")
    foreach(file ${ARGN})
        string(REGEX REPLACE "^/usr" "" short ${file}) # as packages name it from before /lib was a link
        foreach(name ${file} ${short})
            execute_process(COMMAND dpkg-query --search ${name}
                OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
            if(NOT failed)
                string(REGEX REPLACE "[:,].*" "" owner ${owner})
                list(APPEND packages ${owner})
                break()
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES packages)
    list(JOIN packages ", " packages)
    set(${out} ${packages} PARENT_SCOPE)
endfunction()

set(CPACK_PACKAGE_NAME spmv)
set(CPACK_PACKAGE_VENDOR "the spmv authors")
set(CPACK_PACKAGE_CONTACT "the spmv authors <spmv@packages.invalid>" CACHE STRING "Who made the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

# ---- Debian ------------------------------------------------------------------------------------
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/scripts/packaging/debian.cmake)

set(linked "")
set(loaded "")
foreach(name ISAL ZLIB BZIP2 XZ ZSTD)
    if(SPMV_HAVE_${name})
        list(APPEND linked ${SPMV_LIB_${name}})
    endif()
endforeach()
foreach(name ARCHIVE HDF5 EXPAT MATIO METIS)
    if(SPMV_HAVE_${name})
        file(REAL_PATH ${SPMV_LIB_${name}} library)
        list(APPEND loaded ${library})
    endif()
endforeach()
set(mpi "")
if(SPMV_HAVE_MPI)
    file(REAL_PATH ${SPMV_LIB_MPI} mpi)
endif()
packages_of(linked ${linked})
packages_of(loaded ${loaded})
packages_of(mpi ${mpi})

# spmv_package(COMPONENT NAME SECTION DESCRIPTION)
macro(spmv_package component name section description)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${component}_DESCRIPTION "${description}")
endmacro()
spmv_package(TOOLS spmv math "These are the command-line tools, with manual pages and completions.")
spmv_package(DEVELOPMENT libspmv-dev libdevel
    "These are the headers, the library to link, and packages for CMake and pkg-config.")
spmv_package(RUNTIME libspmv0 libs "This is the shared library.")
foreach(component TOOLS RUNTIME)
    set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_${component}_PACKAGE_RECOMMENDS "${loaded}")
    set(CPACK_DEBIAN_${component}_PACKAGE_SUGGESTS "${mpi}")
endforeach()
# The static library brings libstdc++ into programs in C, too: that of the compiler that is there.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "g++")
if(linked)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", ${linked}")
endif()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(REMOVE_ITEM CPACK_COMPONENTS_ALL Unspecified) # of steps that belong to all, and write nothing
if("runtime" IN_LIST CPACK_COMPONENTS_ALL)
    set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
endif()

include(CPack)
