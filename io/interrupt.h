/* io/interrupt.h - TERM, INT and USR1 ask a long job to finish what it is doing, put things in
 * order and leave. */
#ifndef DC_INTERRUPT_H
#define DC_INTERRUPT_H
#include <stdbool.h>

/* Catch the three signals from now on; ignore SIGXFSZ, so that a file-size limit is an error of
 * write(). Not collective. */
void dc_interrupt_setup(void);
bool dc_interrupted(void);
#endif
