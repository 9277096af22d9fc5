# remember.cmake -- the last step of an installation: note what was written for the target `uninstall`.
# CMake's own list is no help there: cpack overwrites it with the paths that its packages have, and those may
# be installed by a package manager.
if("$ENV{DESTDIR}" STREQUAL "" AND NOT CMAKE_INSTALL_PREFIX MATCHES "/_CPack_Packages/")
    list(JOIN CMAKE_INSTALL_MANIFEST_FILES "\n" installed)
    file(WRITE ${build}/installed.txt "${installed}\n")
endif()
