/* io/rank_table.h - HCCL's rank tables: which device of which server is which training rank.
 *
 *   {"server_list": [{"server_id": "10.0.0.1", "device": [{"device_id": "0", "rank_id": "0"}]}]}
 *       version 1.0 and later
 *   {"group_list": [{"instance_list": [{"server_id": ..., "rank_id": ...,
 *       "devices": [{"device_id": ...}]}]}]}   before
 * Numbers are strings or numbers. Sources: HCCL's guides; rank tables of public examples. */
#ifndef DC_RANK_TABLE_H
#define DC_RANK_TABLE_H
#include "io/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct dc_rank_server {
    char *id; /* server_id */
    struct dc_rank_device {
        int32_t device, rank;
    } * device; /* [n], owned */
    size_t n, cap;
} dc_rank_server;

typedef struct dc_rank_table {
    char *path;
    dc_rank_server *server; /* [n], in the file's order; a server_id may stand there twice */
    size_t n, cap;
} dc_rank_table;

/* Read a table. Errors: DC_ENOENT, DC_EIO, DC_EFORMAT (naming the key), DC_ENOMEM; *out is then
 * empty. Not collective; nothing here is. */
dc_status dc_rank_table_read(dc_rank_table *out, const char *path) DC_MUST_CHECK;
void dc_rank_table_fini(dc_rank_table *t);
/* The server called id, or "#N" for the N-th from 0. Errors: DC_EARG naming the servers there are,
 * also when several have that id. */
dc_status dc_rank_table_server(const dc_rank_server **out, const dc_rank_table *t,
                               const char *id) DC_MUST_CHECK;
/* The rank of a server's device. Errors: DC_EARG "PATH: ..." when the table does not have it. */
dc_status dc_rank_server_find(int32_t *rank, const dc_rank_server *s, int32_t device,
                              const char *path) DC_MUST_CHECK;
#endif
