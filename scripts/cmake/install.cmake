# install.cmake -- where the library, its headers, its packages for CMake and pkg-config, the licence,
# the scripts for users and the general manual pages go.  Each tool brings its own page and completions:
# cli/.
#
# An installation has components, of which scripts/packaging/package.cmake makes packages: tools,
# runtime and development.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spmv)

install(TARGETS spmv_shared EXPORT spmv-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS spmv EXPORT spmv-static-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY core/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
install(PROGRAMS scripts/fetch-suitesparse scripts/bench-suitesparse TYPE BIN COMPONENT tools)

if(SPMV_HAVE_CUDA)
    get_target_property(cudart CUDA::cudart_static IMPORTED_LOCATION)
    cmake_path(GET cudart PARENT_PATH cudart_dir)
endif()

# ---- For CMake ---------------------------------------------------------------------------------
install(EXPORT spmv-targets NAMESPACE spmv:: DESTINATION ${package_dir} COMPONENT development)
install(EXPORT spmv-static-targets NAMESPACE spmv:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(scripts/cmake/spmv-config.cmake.in
    ${PROJECT_BINARY_DIR}/spmv-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spmv-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spmv-config.cmake
    ${PROJECT_BINARY_DIR}/spmv-config-version.cmake DESTINATION ${package_dir} COMPONENT development)

# ---- For pkg-config ----------------------------------------------------------------------------
# Relative to where spmv.pc lies, so that an installation can be moved.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(file_libs ${SPMV_PACKING_LIBS} ${CMAKE_DL_LIBS})
list(TRANSFORM file_libs REPLACE "^[^/].*" "-l\\0") # those with a path stay as they are
set(private_libs ${file_libs} -lm -pthread -lstdc++)
if(OpenMP_C_FOUND)
    list(APPEND private_libs ${OpenMP_C_FLAGS})
endif()
if(SPMV_HAVE_CUDA)
    list(APPEND private_libs ${cudart} -ldl -lrt)
endif()
list(JOIN private_libs " " SPMV_PRIVATE_LIBS)
configure_file(scripts/cmake/spmv.pc.in ${PROJECT_BINARY_DIR}/spmv.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/spmv.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)

# ---- Manual pages that belong to no tool -------------------------------------------------------
file(GLOB pages CONFIGURE_DEPENDS man/*.[1-9])
foreach(page ${pages})
    string(REGEX MATCH "[1-9]$" section ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT tools)
endforeach()

# ---- And away again: cmake --build BUILD --target uninstall ------------------------------------
install(CODE "set(build \"${PROJECT_BINARY_DIR}\")" ALL_COMPONENTS)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/remember.cmake ALL_COMPONENTS)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
    -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake VERBATIM)
