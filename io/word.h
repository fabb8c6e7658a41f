/* io/word.h - the right form of a word that is counted. */
#ifndef DC_WORD_H
#define DC_WORD_H
#include <stdint.h>

/* "file" of one, "files" of any other number. Not collective; cannot fail. */
static inline const char *dc_word(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}
#endif
