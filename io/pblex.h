/* io/pblex.h - the bytes and tokens below io/pbtext: blocks, lines, strings, bracketed runs. Only
 * pbtext.c and pblex.c include it. */
#ifndef DC_PBLEX_H
#define DC_PBLEX_H
#include "io/mem.h"
#include "io/pbtext.h"

typedef struct dc_pblevel {
    char close; /* what ends this message; 0 = the end of the file */
    bool list;  /* between '[' and ']' of the field called name */
    char name[DC_PBTEXT_NAME];
} dc_pblevel;

typedef enum dc_pbpending { DC_PB_NOTHING, DC_PB_HAS_SCALAR, DC_PB_HAS_MESSAGE } dc_pbpending;

struct dc_pbtext {
    char *path;
    int fd; /* -1: all bytes are in [at, end) */
    char *block;
    const unsigned char *at, *end, *counted; /* newlines before `counted` are in `line` */
    uint64_t line;
    dc_status io; /* first reading error */
    bool json, done;
    dc_pbpending pending; /* reported and not consumed yet; `at` is at its first byte */
    uint32_t depth;       /* index of the current level */
    dc_pblevel level[DC_PBTEXT_ENTER];
    dc_buf text;       /* the scalar read last */
    bool special[256]; /* bytes at which skipping has something to do */
};

/* Reads the next block when the last one is used up. False at the end, or if reading failed. */
bool dc_pblex_fill(dc_pbtext *p);
/* The next byte, not consumed; -1 at the end. */
static inline int dc_pblex_peek(dc_pbtext *p)
{
    if (p->at == p->end && !dc_pblex_fill(p))
        return -1;
    return *p->at;
}
/* Tell the syntax apart by its first byte and prepare for it. */
void dc_pblex_start(dc_pbtext *p);
/* Past white space and comments; the byte there. */
int dc_pblex_space(dc_pbtext *p);
/* "'x' where WANTED is expected". */
dc_status dc_pblex_unexpected(dc_pbtext *p, const char *wanted);
/* A quoted string from its opening quote; its text is added to p->text unless `skip`. */
dc_status dc_pblex_string(dc_pbtext *p, bool skip) DC_MUST_CHECK;
/* A scalar from its first byte into p->text, with a NUL that p->text.n does not count; nothing is
 * kept if `skip`. */
dc_status dc_pblex_scalar(dc_pbtext *p, bool skip) DC_MUST_CHECK;
/* A message or list from its opening bracket to its end, nothing kept. */
dc_status dc_pblex_nested(dc_pbtext *p) DC_MUST_CHECK;
#endif
