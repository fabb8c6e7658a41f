/* tests/demo_tree.h - for tests of and with dumpcap-demo: run it, and look at what it wrote. */
#ifndef DC_DEMO_TREE_H
#define DC_DEMO_TREE_H
#include <stdbool.h>
#include <stddef.h>

#define DC_DEMO_PATH 4096 /* bytes for a path */

/* Run the demo in directory dir on np processes, so that it can always be told the same relative
 * --out. Returns its exit code; what it says goes to dir/log. */
int dc_demo_start(const char *dir, int np, const char *options);
/* The whole file, malloc'd; failing is a failed assertion. */
void dc_demo_read(char **data, size_t *n, const char *path);
bool dc_demo_same_file(const char *a, const char *b);
/* Is a/name the same as b/name? */
bool dc_demo_same_in(const char *a, const char *b, const char *name);
/* Call visit(context, path) for every file below dir/sub; returns how many there are. */
typedef void (*dc_demo_visitor)(void *context, const char *path);
size_t dc_demo_walk(const char *dir, const char *sub, dc_demo_visitor visit, void *context);
#endif
