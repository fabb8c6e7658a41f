/* io/file_name.h - names of source files in tables: a name is a text that many files share, and its
 * long number. */
#ifndef DC_FILE_NAME_H
#define DC_FILE_NAME_H
#include "io/mem.h"

/* Every file has a name of its own, and every process knows every string; but the names of one
 * operator's files differ, as a rule, in nothing but the time they end in. So the last run of 10 to
 * 19 digits that does not start with 0 is kept as a number, and "/", which no name holds, stands
 * for it in the text: "Add.add_1.3.7./" and 1718260502123456. 0 = the text is the whole name. */

/* Split a name; the text is added to names. Errors: DC_ENOMEM. Not collective. */
dc_status dc_file_name_add(uint32_t *text, uint64_t *number, dc_pool *names,
                           const char *name) DC_MUST_CHECK;

#define DC_FILE_NAME 288 /* a file name's 255 bytes, and some */
/* The whole name, in out, which is returned. */
const char *dc_file_name(char out[DC_FILE_NAME], const dc_pool *names, uint32_t text,
                         uint64_t number);
#endif
