/* encoder.c -- what is written to a file whose name asks for compression. */
#include "formats/stream/packing.h"

#include <stdlib.h>

enum { OUTPUT_SIZE = 1 << 18 };

struct spmv__packer {
    const spmv__encoder *encoder;
    void *state;
    unsigned char output[OUTPUT_SIZE];
};

spmv_status spmv__packer_open(spmv__packer **out, const char *path, spmv_error *err)
{
    const spmv__packing *packing = spmv__packing_by_suffix(path);
    spmv__packer *packer;
    *out = NULL;
    if (packing == NULL) return SPMV_SUCCESS;
    if (packing->encoder == NULL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "this build writes no %s files",
                          packing->name);
    spmv_status st = spmv__alloc(&packer, 1, sizeof *packer, "compression", err);
    if (st != SPMV_SUCCESS) return st;
    packer->encoder = packing->encoder;
    st = packing->encoder->open(&packer->state, err);
    if (st == SPMV_SUCCESS)
        *out = packer;
    else
        free(packer);
    return st;
}

bool spmv__packer_write(spmv__packer *packer, const unsigned char *data, size_t size, bool last,
                        spmv__packed_to *to, void *user)
{
    const size_t most = 1 << 30;
    bool done = false;
    while (!done) {
        const size_t now = size < most ? size : most;
        spmv__window w = {data, packer->output, (uint32_t)now, OUTPUT_SIZE};
        if (!packer->encoder->step(packer->state, &w, last && now == size, &done)) return false;
        to(user, packer->output, (size_t)(w.out - packer->output));
        size -= (size_t)(w.in - data);
        data = w.in;
        done = done && size == 0;
    }
    return true;
}

void spmv__packer_close(spmv__packer *packer)
{
    if (packer == NULL) return;
    packer->encoder->close(packer->state);
    free(packer);
}
