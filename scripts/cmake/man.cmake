# Make a manual page: NAME.1.in with its @OPTIONS@ taken from the tool's own table.
# EMULATOR runs a tool for another machine.
#   cmake -DTOOL=... -DEMULATOR=... -DIN=... -DOUT=... -DSPMV_VERSION=... -P man.cmake
execute_process(COMMAND ${EMULATOR} "${TOOL}" --man-options OUTPUT_VARIABLE OPTIONS
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file("${IN}" "${OUT}" @ONLY)
