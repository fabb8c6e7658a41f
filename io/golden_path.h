/* io/golden_path.h - where the goldens of a rank and a step are: --golden and --step-map. */
#ifndef DC_GOLDEN_PATH_H
#define DC_GOLDEN_PATH_H
#include "io/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which golden step belongs to an NPU step: the same number plus an offset ("+1", "-1", "" = 0), or
 * a list of pairs npu=golden ("10=0,20=1"), where steps that are not listed have none. */
typedef struct dc_step_map {
    int64_t offset;
    size_t n; /* 0: by offset */
    struct dc_step_pair {
        int64_t npu, golden;
    } * pair; /* [n], sorted by npu; owned */
} dc_step_map;

/* Errors: DC_EARG naming the piece, also for an NPU step given twice; DC_ENOMEM. */
dc_status dc_step_map_parse(dc_step_map *out, const char *text) DC_MUST_CHECK;
void dc_step_map_fini(dc_step_map *m);
/* False if the map has no golden step for it. Tensors without a step (-1) map to -1. */
bool dc_step_map_get(int64_t *golden, const dc_step_map *m, int64_t npu);

/* Replace {rank}, {device} and {step} in a template by numbers; *out malloc'd. "{{" stands for "{".
 * Errors: DC_EARG (an unknown or open brace; a step is asked for where there is none), DC_ENOMEM.
 */
dc_status dc_golden_path(char **out, const char *pattern, int32_t rank, int32_t device,
                         int64_t step) DC_MUST_CHECK;
/* Which of the numbers the template uses. */
typedef struct dc_golden_uses {
    bool rank, device, step;
} dc_golden_uses;
dc_golden_uses dc_golden_path_uses(const char *pattern);
#endif
