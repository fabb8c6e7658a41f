/* io/group_list.h - groups of ranks, as HCCL's options and users write them.
 *
 *   [{"group_name": "tp0", "group_rank_list": [0, 1]}, ...]
 *       GE's option ge.exec.hcomGrouplist (HcomOpsKernelInfoStore::InitHcom); a list of ranks may
 *       be a string ("[0, 1]"), and the array the member "comm_group" of an object, as in
 *       torch_npu's model_relation_config.json
 *   0-3,4-7      0+2+4+6,1+3+5+7      0-6:2,1-7:2
 *       groups between commas; + joins ranks and ranges, :N is a range's step */
#ifndef DC_GROUP_LIST_H
#define DC_GROUP_LIST_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DC_GROUP_LIST_RANKS 1000000 /* of a group, at most */

typedef struct dc_rank_group {
    char *name;    /* owned; "" if it has none */
    int32_t *rank; /* [n], ascending, each once; owned */
    size_t n;
} dc_rank_group;

typedef struct dc_group_list {
    dc_rank_group *group; /* [n], owned */
    size_t n, cap;
} dc_group_list;

/* From JSON text[0..n); `name` is for messages. Errors: DC_EFORMAT, DC_EUNSUP (too many ranks),
 * DC_ENOMEM; *out is then empty. Nothing here is collective. */
dc_status dc_group_list_json(dc_group_list *out, const char *text, size_t n,
                             const char *name) DC_MUST_CHECK;
/* From a user: the file if `spec` ends in .json, else the text itself, whose groups share no rank.
 * Errors: DC_EARG, those of files, those of dc_group_list_json. */
dc_status dc_group_list_read(dc_group_list *out, const char *spec) DC_MUST_CHECK;
void dc_group_list_fini(dc_group_list *l);
bool dc_rank_group_has(const dc_rank_group *g, int32_t rank);
/* The one group that rank is in; NULL if there is none, or more than one. */
const dc_rank_group *dc_group_list_of(const dc_group_list *l, int32_t rank);
/* The group that an operator of `rank` means by `name`: the one called so, if rank is in it; else,
 * since the name may be another rank's, the only one of as many ranks whose name differs but in
 * digits. NULL if there is none. */
const dc_rank_group *dc_group_list_named(const dc_group_list *l, const char *name, int32_t rank);
#endif
