/* zstd.c -- zstd through libzstd, at its default level, packed by its threads: the same bytes for
 * any number.  Its own limit on the window is SPMV__DECODE_LIMIT too. */
#include "formats/stream/packing.h"

#include <zstd.h>
#include <zstd_errors.h>

static void leave(spmv__window *window, const ZSTD_inBuffer *in, const ZSTD_outBuffer *out)
{
    window->in += in->pos;
    window->in_size -= (uint32_t)in->pos;
    window->out += out->pos;
    window->out_size -= (uint32_t)out->pos;
}

/* ---- Unpacking ------------------------------------------------------------------------------ */

static spmv_status open_decoder(void **out, spmv_error *err)
{
    *out = ZSTD_createDCtx();
    return *out != NULL ? SPMV_SUCCESS : spmv__packing_memory(err);
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

static spmv__decoded decode(void *state, spmv__window *window)
{
    ZSTD_inBuffer in = {window->in, window->in_size, 0};
    ZSTD_outBuffer out = {window->out, window->out_size, 0};
    const size_t result = ZSTD_decompressStream(state, &out, &in);
    leave(window, &in, &out);
    return result_of(result);
}

static void close_decoder(void *state)
{
    ZSTD_freeDCtx(state);
}

const spmv__decoder spmv__zstd_decoder = {open_decoder, decode, close_decoder};

/* ---- Packing -------------------------------------------------------------------------------- */

static spmv_status open_encoder(void **out, spmv_error *err)
{
    *out = ZSTD_createCCtx();
    if (*out == NULL) return spmv__packing_memory(err);
    ZSTD_CCtx_setParameter(*out, ZSTD_c_checksumFlag, 1);
    /* Refused where the library was built without threads. */
    ZSTD_CCtx_setParameter(*out, ZSTD_c_nbWorkers, spmv__threads_at_once(spmv__threads(0)));
    return SPMV_SUCCESS;
}

static bool encode(void *state, spmv__window *window, bool last, bool *done)
{
    ZSTD_inBuffer in = {window->in, window->in_size, 0};
    ZSTD_outBuffer out = {window->out, window->out_size, 0};
    const size_t left = ZSTD_compressStream2(state, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    leave(window, &in, &out);
    *done = last ? left == 0 : window->in_size == 0;
    return !ZSTD_isError(left);
}

static void close_encoder(void *state)
{
    ZSTD_freeCCtx(state);
}

const spmv__encoder spmv__zstd_encoder = {open_encoder, encode, close_encoder};
