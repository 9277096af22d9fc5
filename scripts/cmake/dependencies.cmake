# dependencies.cmake -- what spmv needs and what it can use, each looked for in one place.
#
# What is needed is here and in mmio.cmake, what can be used in optional.cmake; find.cmake says how it is
# looked for.  What is needed and absent is named all at once, with the package that brings it on Debian
# and Ubuntu.

set(missing "")
find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/find.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mmio.cmake)

# Dragonbox is installed into a folder with its version in the name, which its own package knows.
find_package(dragonbox QUIET CONFIG)
set(dragonbox_folder "")
if(TARGET dragonbox::dragonbox)
    get_target_property(dragonbox_folder dragonbox::dragonbox INTERFACE_INCLUDE_DIRECTORIES)
endif()
spmv_find(XXHASH xxhash.h)
spmv_find(CJSON cJSON.h LIBRARY cjson SUFFIXES cjson)
spmv_find(DRAGONBOX dragonbox/dragonbox.h HINTS ${dragonbox_folder})
spmv_find(FASTFLOAT fast_float/fast_float.h)
foreach(row "XXHASH  xxHash: libxxhash-dev" "CJSON  cJSON: libcjson-dev"
        "DRAGONBOX  Dragonbox: libdragonbox-dev" "FASTFLOAT  fast_float: libfast-float-dev")
    string(REGEX MATCH "^([A-Z]+)(  .*)" row ${row})
    if(NOT SPMV_HAVE_${CMAKE_MATCH_1})
        list(APPEND missing "${CMAKE_MATCH_2}")
    endif()
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/optional.cmake)
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
