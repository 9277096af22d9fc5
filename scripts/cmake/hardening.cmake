# hardening.cmake -- files may be made to do damage: what overflows all the same ends the process.
#
# All code is linked at an address that nobody knows, with tables of addresses that nobody can write to,
# and with the checked copies of the C library.  Where files and command lines are taken apart, in formats/
# and cli/, the stack is watched too; in the kernels that would cost a few per cent.
include(CheckCCompilerFlag)
target_link_options(spmv_flags INTERFACE $<$<LINK_LANGUAGE:C,CXX>:-Wl,-z,relro,-z,now>)
if(SPMV_SANITIZE)
    # Sanitizers look at more.  Each check has addresses of its own, of which programs with emulated kernels
    # would relocate two million whenever they start.
    target_link_options(spmv_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
else()
    include(CheckPIESupported)
    check_pie_supported()
    set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
    target_compile_options(spmv_flags INTERFACE
        $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,${optimised}>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
endif()
set(SPMV_STACK_FLAGS "")
foreach(flag -fstack-protector-strong -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "SPMV_HAVE${flag}" have)
    check_c_compiler_flag(${flag} ${have})
    if(${have})
        list(APPEND SPMV_STACK_FLAGS ${flag})
    endif()
endforeach()
