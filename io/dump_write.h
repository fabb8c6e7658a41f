/* io/dump_write.h - writer of Ascend dump files as CANN's device writer makes them (dump_read.h has
 * the format). Written under a temporary name and renamed, so that nobody ever sees half a file. */
#ifndef DC_DUMP_WRITE_H
#define DC_DUMP_WRITE_H
#include "io/dump_read.h"

/* What to write: d->op_name, dump_time, attr, and d->tensor[] in the order inputs, outputs,
 * buffers, spaces, of which every field but offset counts (bytes must be what data[i] holds;
 * DC_DUMP_NULL_ADDRESS writes the size but no bytes and no address; other tensors get a made-up
 * non-zero address if `addresses`). */
typedef struct dc_dump_out {
    const dc_dump *dump;
    const void *const *data; /* [dump->n], tensor bytes, borrowed */
    int addresses;           /* write address fields */
} dc_dump_out;

/* Write version 2 (length, header, payload) to path. Errors: DC_EIO, DC_ENOSPACE, DC_ENOMEM. Not
 * collective. */
dc_status dc_dump_write(const char *path, const dc_dump_out *out) DC_MUST_CHECK;
/* {dir}/{op_type}.{op_name}.{task}.{stream}.{time}, with op_type and op_name sanitised as CANN does
 * (space . / \ to _); a name of over 255 bytes becomes the decimal libstdc++ hash of the full path,
 * and the line "hash,name" is appended to {dir}/mapping.csv. malloc'd for the caller in *path. */
dc_status dc_dump_make_path(char **path, const char *dir, const char *op_type, const char *op_name,
                            const uint64_t task_stream_time[3]) DC_MUST_CHECK;
#endif
