/* host_table.c -- a table of which each rank has a row, handed out by the hosts; see relay.h. */
#include "cuda/comm/relay.h"

void spmv__relay_table_by_hosts(spmv__relay *s, spmv_status *st, spmv_error *err)
{
    char *mine = s->table_host + s->comm->size * s->row;
    if (s->table == NULL) return;
    if (*st == SPMV_SUCCESS)
        *st = spmv__gpu_download(s->copier, mine, s->table + s->comm->rank * s->row, s->row, err);
    spmv__comm_all_gather(s->comm, mine, (size_t)s->row, s->table_host);
    if (*st == SPMV_SUCCESS)
        *st = spmv__gpu_upload(s->copier, s->table, s->table_host, s->comm->size * s->row, err);
}
