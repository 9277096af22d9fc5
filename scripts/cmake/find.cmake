# find.cmake -- how libraries are looked for: by header and library, below CMAKE_PREFIX_PATH first and
# then where CMake always looks.  No pkg-config is needed, and no layout is taken for granted: Debian,
# Fedora, conda and Spack differ in folders and in names.

# Fedora and Spack have lib64, where CMake does not look on Debian.
set_property(GLOBAL PROPERTY FIND_LIBRARY_USE_LIB64_PATHS ON)

# spmv_find(NAME HEADER [LIBRARY NAME...] [SUFFIXES FOLDER...] [HINTS FOLDER...]) sets SPMV_HAVE_<NAME>
# (0 or 1), SPMV_INCLUDE_<NAME> and SPMV_LIB_<NAME>, which a user may also give, and makes the target
# found::<NAME>.  The suffixes are folders below include.  Without LIBRARY the header is all that is used.
function(spmv_find name header)
    cmake_parse_arguments(arg "" "" "LIBRARY;SUFFIXES;HINTS" ${ARGN})
    find_path(SPMV_INCLUDE_${name} ${header} HINTS ${arg_HINTS} PATH_SUFFIXES ${arg_SUFFIXES})
    set(have ${SPMV_INCLUDE_${name}})
    if(arg_LIBRARY)
        find_library(SPMV_LIB_${name} NAMES ${arg_LIBRARY} NAMES_PER_DIR HINTS ${arg_HINTS})
        if(NOT SPMV_LIB_${name})
            set(have OFF)
        endif()
    endif()
    mark_as_advanced(SPMV_INCLUDE_${name} SPMV_LIB_${name})
    set(SPMV_HAVE_${name} 0 PARENT_SCOPE)
    if(have)
        set(SPMV_HAVE_${name} 1 PARENT_SCOPE)
        add_library(found::${name} INTERFACE IMPORTED GLOBAL)
        target_include_directories(found::${name} SYSTEM INTERFACE ${SPMV_INCLUDE_${name}})
        target_link_libraries(found::${name} INTERFACE ${SPMV_LIB_${name}})
    endif()
endfunction()

# How a program that links libspmv.a names a library: shortly where the linker looks anyway.
function(spmv_link_name out library)
    cmake_path(GET library PARENT_PATH folder)
    if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        cmake_path(GET library STEM library)
        string(REGEX REPLACE "^lib" "" library ${library})
    endif()
    set(${out} ${library} PARENT_SCOPE)
endfunction()

# The name under which a library is loaded while a program runs; empty for a static one.
function(spmv_soname out library)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
    string(REGEX MATCH "SONAME +([^ \n]+)" found "${headers}")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Where the system does not look for such a library, what loads it remembers the folder.
function(spmv_remember_folder library soname)
    file(REAL_PATH ${library} real)
    foreach(folder ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
        file(REAL_PATH ${folder}/${soname} found)
        if(found STREQUAL real)
            return()
        endif()
    endforeach()
    cmake_path(GET library PARENT_PATH folder)
    foreach(path CMAKE_BUILD_RPATH CMAKE_INSTALL_RPATH)
        list(APPEND ${path} ${folder})
        list(REMOVE_DUPLICATES ${path})
        set(${path} "${${path}}" PARENT_SCOPE)
    endforeach()
endfunction()
