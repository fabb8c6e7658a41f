/* tests/choose_fixture.h - dump trees for tests of what a capture chooses, and scanning them. */
#ifndef DC_CHOOSE_FIXTURE_H
#define DC_CHOOSE_FIXTURE_H
#include "capture/choose.h"

enum { MOST_TENSORS = 4 };

typedef struct task {
    const char *name, *type, *origin; /* origin: of the output, "" = none */
    uint64_t task, stream, time;
    bool nameless;                /* the header has no op_name */
    uint64_t input[MOST_TENSORS]; /* elements of each input; 0 ends the list */
} task;

/* Write an operator's dump below dir, made if it is not there. Asserts. */
void write_task(const char *dir, const task *t);
void write_text(const char *path, const char *text);
/* All rows that a capture with these options would store, as lines "model step op direction slot",
 * in order, on every process; malloc'd. Collective. Asserts. */
char *scan_lines(const dc_capture_options *o);
/* Options of a capture of one root; root must outlive them. */
dc_capture_options options_for(const char *root, const char *config);
#endif
