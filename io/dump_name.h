/* io/dump_name.h - what the name of a file in a dump tree says.
 *
 *   dump       op_type.op_name.task.stream.time[.4.context.thread[.device]]   (or .FFTSPLUS.)
 *   old        op_type.op_name.task.time, and both without op_name: type.task.stream.time
 *   captured   op_type.op_name.number.task.stream.time[...]; op_name may itself hold dots
 *   statistics any of these with .csv, and MindSpore's statistic.csv
 *   overflow   Opdebug.Node_OpDebug.task[.stream].time[...]
 *   exception  exception_info.stream.task.time, any of the above with a time of the form
 *              YYYYMMDDhhmmssmmm, *.custom.time, *.core; hashed \d{1,32}[.csv] (mapping_csv.h)
 *   converted  *.npy, *.input.N..., *.output.N...
 * time: decimal microseconds since the epoch, ten digits or more. Sources: CANN's aicpu
 * dump writer and adump; msaccucmp's patterns; file names in the vendor's guides. */
#ifndef DC_DUMP_NAME_H
#define DC_DUMP_NAME_H
#include <stddef.h>
#include <stdint.h>

typedef enum dc_name_kind {
    DC_NAME_DUMP,
    DC_NAME_STATISTICS,
    DC_NAME_OVERFLOW,
    DC_NAME_EXCEPTION,
    DC_NAME_HASHED,
    DC_NAME_MAPPING,
    DC_NAME_CONVERTED,
    DC_NAME_OTHER
} dc_name_kind;

/* A piece of the parsed name: at[0..n), not NUL-terminated; n = 0 when absent. */
typedef struct dc_name_part {
    const char *at;
    size_t n;
} dc_name_part;

#define DC_NAME_NONE UINT64_MAX /* a number that the name does not have */

typedef struct dc_dump_name {
    dc_name_kind kind;
    dc_name_part op_type, op_name; /* as in the name: sanitised. The header's op_name is better, and
                                      the only one where this is absent */
    uint64_t task, stream, time;   /* time as it stands (exceptions: calendar digits) */
    uint64_t number;               /* captured form: the count of dumps */
    uint64_t task_type, context, thread, device; /* FFTS+ suffix; FFTSPLUS is task_type 4 */
} dc_dump_name;

/* Parse a file name (no directory); the result points into name. Every name lands in a kind; parts
 * of other kinds than DUMP, STATISTICS, OVERFLOW and EXCEPTION are absent. Not collective; cannot
 * fail. */
void dc_dump_name_parse(dc_dump_name *out, const char *name);
/* In place: each space . / \ becomes _, as CANN does in op types, op names and model names. */
void dc_name_sanitise(char *text);
#endif
