# Run at every build: writes build_info.h, and only touches it when something has changed.
execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE BUILD_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
    set(BUILD_COMMIT unknown)
endif()
configure_file("${SOURCE_DIR}/cli/tool/build_info.h.in" "${OUTPUT}" @ONLY)
