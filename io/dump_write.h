/* io/dump_write.h - writer of Ascend dump files as CANN's device writer makes them (dump_read.h has
 * the format). Written under a temporary name and renamed, so that nobody ever sees half a file. */
#ifndef DC_DUMP_WRITE_H
#define DC_DUMP_WRITE_H
#include "io/dump_read.h"

/* What to write: d->op_name, dump_time, attr, dfx_message, and d->tensor[] in the order inputs,
 * outputs, buffers, spaces, of which every field but offset and slot counts. data[i] holds
 * tensor[i].bytes bytes, which is the size in the header. A tensor with DC_DUMP_NULL_ADDRESS is
 * written with a size (`size`, or `bytes` where that is 0) but no bytes and no address; other
 * inputs and outputs get their address, or a made-up one where that is 0, if `addresses`. A tensor
 * whose origin_name is NULL or "" gets no original_op. NULL texts are left out. */
typedef struct dc_dump_out {
    const dc_dump *dump;
    const void *const *data; /* [dump->n], tensor bytes, borrowed */
    int addresses;           /* write address fields */
} dc_dump_out;

/* Write version 2 (length, header, payload) to path; a file of that name is replaced. Errors:
 * DC_EARG (tensors out of order), DC_EIO, DC_ENOENT, DC_ENOSPACE, DC_ENOMEM; then nothing is left
 * behind. Not collective. */
dc_status dc_dump_write(const char *path, const dc_dump_out *out) DC_MUST_CHECK;
/* {dir}/{op_type}.{op_name}.{task}.{stream}.{time}, with op_type and op_name sanitised as CANN does
 * (space . / \ to _); a name of over 255 bytes becomes the decimal libstdc++ hash of the full path
 * (dir as given, '/', name), and the line "hash,name" is appended to {dir}/mapping.csv unless it is
 * there. malloc'd for the caller in *path. Errors: DC_EIO, DC_ENOENT, DC_ENOSPACE, DC_ENOMEM. Not
 * collective; several processes may use one directory. */
dc_status dc_dump_make_path(char **path, const char *dir, const char *op_type, const char *op_name,
                            const uint64_t task_stream_time[3]) DC_MUST_CHECK;
#endif
