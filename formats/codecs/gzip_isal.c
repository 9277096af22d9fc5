/* gzip_isal.c -- gzip unpacked through ISA-L, which is three to four times as fast as zlib. */
#include "formats/stream/packing.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

/* ISA-L leaves something in the upper halves of the vector registers, with which code for SSE takes
 * up to four times as long, in this thread and in those that it starts. */
#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("avx"))) static void clear_upper_halves(void)
{
    _mm256_zeroupper();
}
#endif

static spmv_status open_state(void **out, spmv_error *err)
{
    struct inflate_state *state;
    spmv_status st = spmv__alloc(&state, 1, sizeof *state, "unpacking gzip", err);
    if (st != SPMV_SUCCESS) return st;
    isal_inflate_init(state);
    state->crc_flag = ISAL_GZIP;
    *out = state;
    return SPMV_SUCCESS;
}

static spmv__decoded step(void *opened, spmv__window *window)
{
    struct inflate_state *state = opened;
    state->next_in = (uint8_t *)(uintptr_t)window->in;
    state->avail_in = window->in_size;
    state->next_out = window->out;
    state->avail_out = window->out_size;
    const int result = isal_inflate(state);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx")) clear_upper_halves();
#endif
    *window = (spmv__window){state->next_in, state->next_out, state->avail_in, state->avail_out};

    if (result == ISAL_INCORRECT_CHECKSUM) return SPMV__DECODE_CHECKSUM;
    if (result == ISAL_UNSUPPORTED_METHOD) return SPMV__DECODE_FOREIGN;
    if (result < 0) return SPMV__DECODE_DAMAGED;
    if (state->block_state != ISAL_BLOCK_FINISH) return SPMV__DECODE_ON;
    isal_inflate_reset(state);
    state->crc_flag = ISAL_GZIP;
    return SPMV__DECODE_END;
}

const spmv__decoder spmv__gzip_isal_decoder = {open_state, step, free};
