/* tests/demo/demo_place.h - the demo's clock, and the names that hang on it: directories, models,
 * text files. The clock is made up, so that a run can be repeated byte for byte. */
#ifndef DC_DEMO_PLACE_H
#define DC_DEMO_PLACE_H
#include "io/mem.h"
#include "tests/demo/demo_plan.h"

#define DC_DEMO_TIME  15 /* bytes for YYYYmmddHHMMSS */
#define DC_DEMO_MODEL 48 /* bytes for ge_default_YYYYmmddHHMMSS_1 */

/* Is it 14 digits? Errors: DC_EARG. None of the rest can fail, but for memory and files; nothing
 * here is collective. */
dc_status dc_demo_check_time(const char *time) DC_MUST_CHECK;
/* The {time} directory of a rank: processes set their dump configuration up to a second or so
 * apart, and some within the same second. */
void dc_demo_dump_time(char text[DC_DEMO_TIME], const dc_demo_plan *plan, int rank);
/* Graph 0 initialises the variables, graph 1 trains. */
void dc_demo_model_name(char text[DC_DEMO_MODEL], const dc_demo_plan *plan, int rank, int graph);
/* When a task's dump is taken; grows with step and task. Microseconds since the epoch. */
uint64_t dc_demo_task_time(const dc_demo_plan *plan, int rank, int step, uint32_t task);
/* When a tensor of the reference was saved. */
uint64_t dc_demo_golden_time(const dc_demo_plan *plan, int step, int tensor);

/* malloc'd printf; NULL without memory (dc_last_error says so). */
char *dc_demo_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Write text as dir/name, making dir. Errors: DC_EIO, DC_ENOSPACE, DC_ENOMEM. */
dc_status dc_demo_write_text(const char *dir, const char *name, const dc_buf *text) DC_MUST_CHECK;
#endif
