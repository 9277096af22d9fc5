# shared.cmake -- libspmv.so, of the objects of the static library.
#
# spmv.map leaves nothing to be seen but the public functions, under a version that changes with the soname:
# a process may load two of them.  Calls from one public function to another are bound here, so that no other
# library can come between.  CUDA's runtime is inside, hidden like the rest, and looks for the driver when the
# first function that needs a GPU is called: nothing of CUDA is loaded before.  It stays when a program closes
# it: threads of OpenMP wait for work, in code that would go away with it.
add_library(spmv_shared SHARED $<TARGET_OBJECTS:spmv> $<TARGET_OBJECTS:spmv_mmio>)
set_target_properties(spmv_shared PROPERTIES
    OUTPUT_NAME spmv EXPORT_NAME spmv LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(spmv_shared PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(spmv_shared PRIVATE
    spmv_flags m Threads::Threads ${SPMV_PACKING_LIBS} ${CMAKE_DL_LIBS}
    $<$<BOOL:${OpenMP_C_FOUND}>:OpenMP::OpenMP_C> $<$<BOOL:${SPMV_HAVE_CUDA}>:CUDA::cudart_static>)
target_link_options(spmv_shared PRIVATE
    -Wl,-Bsymbolic-functions -Wl,-z,nodelete -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/spmv.map)
set_property(TARGET spmv_shared PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/spmv.map)
if(NOT SPMV_SANITIZE) # whose functions come with the program
    target_link_options(spmv_shared PRIVATE -Wl,-z,defs)
endif()
