/* io/tree.h - dump trees: what a directory's path says about its files, and listing a directory.
 *
 * Read from the right of the last time stamp (sources: CANN's adump; the vendor's guides):
 *   [rank_{r}/][step_{s}/]{time, 14
 * digits}[/{time}]/{device}/[pid{p}/]{model}/{model_id}[/{worker}]/{data_index}/{file}
 *   .../{time}/{device}/{file}             single operators: no model, no step
 *   .../{time}/{device}/{type}.{op}/{op}.7.21.4.{time}   captured: names are not sanitised, so that
 *       a / in an op name makes a directory; a model's directory has no dot
 *   .../rank_{r}/{time}/step_{s}/{file}    flattened by msprobe: no device
 *   .../data-dump/{device}/...             exception dumps: no time
 *   .../rank_{r}/{net}/{graph}/{iteration}/{file}    MindSpore: no time, no device
 * Anything above the time stamp but rank_{r}, rank{r}, step_{s}, step{s} is ignored, and so are
 * levels of other people's between time and device, device and model. */
#ifndef DC_TREE_H
#define DC_TREE_H
#include "io/mem.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dc_tree_place {
    char time[16];          /* 14 digits, or "" */
    int32_t device;         /* -1: the path does not say */
    int32_t rank;           /* of a rank_{r} level, -1 without one */
    int64_t model_id;       /* -1 without one */
    int64_t step;           /* data_index, -1 without one */
    const char *model;      /* model directory's name: not NUL-terminated, points into the path */
    size_t model_length;    /* 0 without one */
    const char *unnumbered; /* a level called like rank_{r} or step_{s} but without a number, where
                               no other told that; unnumbered_length bytes, 0 for none */
    size_t unnumbered_length;
    const char *captured; /* what of the path belongs to a captured file's name, NULL for none */
} dc_tree_place;

/* Never fails: a path that follows no pattern gives an all-unknown place. Not collective. */
void dc_tree_place_parse(dc_tree_place *out, const char *dir);
/* malloc'd: the path that the root of a tree goes by. That is `path`, without doubled slashes, or
 * where it does not say what level it is ("." in a {time} or {device} directory, a link to one),
 * the real path, if that does. NULL without memory. Not collective. */
char *dc_tree_root(const char *path);
/* Seconds since the epoch of a 14-digit time as if it were UTC; fields beyond their range carry
 * over, as the vendor's own examples have them. 0 for "". */
int64_t dc_tree_seconds(const char *time);
/* The model's name without its 14-digit time stamp: "ge_default_20240613143502_1" ->
 * "ge_default_1". text holds size bytes. */
void dc_tree_model_name(char *text, size_t size, const char *model, size_t length);

typedef struct dc_tree_entry {
    const char *name;  /* owned by the listing */
    bool is_dir;       /* a directory, or a symbolic link to one */
    bool is_link;      /* the link; told of directories only */
    uint64_t dev, ino; /* of a directory, to see loops */
} dc_tree_entry;

/* The entries of a directory, sorted by name; "." and ".." left out, and so are sockets, devices
 * and dangling links. *out and its names are freed by dc_tree_list_free. Errors: DC_EIO, DC_ENOENT,
 * DC_ENOMEM. Not collective. */
typedef struct dc_tree_list {
    dc_tree_entry *entry;
    size_t n;
    dc_buf text;
} dc_tree_list;
dc_status dc_tree_list_dir(dc_tree_list *out, const char *dir) DC_MUST_CHECK;
void dc_tree_list_free(dc_tree_list *l);
#endif
