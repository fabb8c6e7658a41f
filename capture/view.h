/* capture/view.h - the browsable tree of a store: a virtual dataset per tensor, over the slabs.
 *
 * /tensors/[run{r}/]rank{n}/{model}/step{s}/{op}:{input|output|buffer|space}:{slot}[@thread][#occurrence];
 * "/" in names nests groups; the components ".", ".." and "" are written "%2E", "%2E%2E" and "%",
 * control characters by their number, "%0A".
 * run{r} is there when a store holds several runs; model and step{s} where the tensor has them.
 * Attributes: format; dtype where integers stand for another type; shape where bytes are packed.
 * They are made with the plan, before any tensor is written: a kill while the structure changes
 * then loses nothing, and what an interrupted capture stored can be browsed (zeros where
 * index/state is 0). */
#ifndef DC_VIEW_H
#define DC_VIEW_H
#include "io/mem.h"
#include "io/store.h"

#define DC_VIEW_LIMIT 20000 /* tensors up to which views are made without being asked for */

/* Append the path of a tensor's view, from "rank" or "run" on (without "/tensors/"). runs: how many
 * the store holds. */
dc_status dc_view_path(dc_buf *out, const dc_tensor *t, const dc_pool *names,
                       int32_t runs) DC_MUST_CHECK;
/* Append its beginnings: "run0/rank3/ge_default_1/step7/"; what comes after them; its end,
 * "input:0". */
dc_status dc_view_place(dc_buf *out, const dc_tensor *t, const dc_pool *names,
                        int32_t runs) DC_MUST_CHECK;
dc_status dc_view_name(dc_buf *out, const dc_tensor *t, const dc_pool *names) DC_MUST_CHECK;
dc_status dc_view_slot(dc_buf *out, const dc_tensor *t) DC_MUST_CHECK;
/* Make the views whose path matches the glob (NULL = all), but for tensors whose source could not
 * be read; existing ones stay. A path that another view blocks (an operator named like another's
 * view) is warned of, once. *made counts new ones. s must be open for writing. Not collective. */
dc_status dc_view_make(uint64_t *made, dc_store *s, const char *glob) DC_MUST_CHECK;
/* Remove the views of tensors whose source turned out to be unreadable. Not collective. */
dc_status dc_view_drop_unreadable(dc_store *s) DC_MUST_CHECK;
/* How many runs a store's rows name. */
dc_status dc_view_runs(int32_t *runs, const dc_store *s) DC_MUST_CHECK;
#endif
