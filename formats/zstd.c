/* zstd.c -- zstd through libzstd, whose own limit on the window is SPMV__DECODE_LIMIT too. */
#include "unpack.h"

#include <zstd.h>
#include <zstd_errors.h>

static void *open_state(void)
{
    return ZSTD_createDCtx();
}

static spmv__decoded result_of(size_t result)
{
    if (result == 0) return SPMV__DECODE_END;
    if (!ZSTD_isError(result)) return SPMV__DECODE_ON;
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_checksum_wrong:
        return SPMV__DECODE_CHECKSUM;
    case ZSTD_error_memory_allocation:
    case ZSTD_error_frameParameter_windowTooLarge:
        return SPMV__DECODE_MEMORY;
    case ZSTD_error_version_unsupported:
    case ZSTD_error_frameParameter_unsupported:
    case ZSTD_error_dictionary_wrong:
        return SPMV__DECODE_FOREIGN;
    default:
        return SPMV__DECODE_DAMAGED;
    }
}

static spmv__decoded step(void *state, spmv__window *window)
{
    ZSTD_inBuffer in = {window->in, window->in_size, 0};
    ZSTD_outBuffer out = {window->out, window->out_size, 0};
    const size_t result = ZSTD_decompressStream(state, &out, &in);
    window->in += in.pos;
    window->in_size -= (uint32_t)in.pos;
    window->out += out.pos;
    window->out_size -= (uint32_t)out.pos;
    return result_of(result);
}

static void close_state(void *state)
{
    ZSTD_freeDCtx(state);
}

const spmv__decoder spmv__zstd_decoder = {open_state, step, close_state};
