/* compare/choices.h - the files that may be a tensor's golden: found by name, narrowed by how exact
 * the name is, and where that does not do, by shape and element type. */
#ifndef DC_CHOICES_H
#define DC_CHOICES_H
#include "compare/golden_heads.h"
#include "compare/rivals.h"
#include "compare/wants.h"

typedef struct dc_choice {
    uint32_t want, dir;
    uint32_t first, n; /* the directory's files first..first+n-1, one for each execution by time;
                          when told apart: entries of dc_choices.listed */
    uint32_t most;     /* executions that the NPU side has */
    uint32_t note;     /* string: how they were told apart; or, ambiguous, the reason */
    uint8_t dtype;     /* of the first tensor that asked: its kind is every one's */
    uint8_t state;     /* dc_choice_state */
} dc_choice;
_Static_assert(sizeof(dc_choice) == 28, "there may be one for every row");

typedef enum dc_choice_state {
    DC_CHOICE_PLAIN,
    DC_CHOICE_CONTESTED,  /* by another name, or by files of several names: undecided */
    DC_CHOICE_TOLD_APART, /* decided by shape and dtype */
    DC_CHOICE_AMBIGUOUS   /* they do not tell */
} dc_choice_state;

/* All owned but dirs, wants and names. */
typedef struct dc_choices {
    dc_golden_dirs *dirs;
    dc_wants *wants;
    dc_pool *names; /* of texts */
    dc_idset *key;  /* {want, dir}; NULL once all have asked */
    dc_choice *choice;
    size_t n, cap;
    dc_rivals rivals;
    uint64_t *listed; /* numbers of files */
    size_t nlisted, listed_cap;
    uint32_t *head_of; /* [dirs->files]: id of its head, UINT32_MAX if it was not read */
    dc_idset *heads;
} dc_choices;

dc_status dc_choices_begin(dc_choices *out, dc_golden_dirs *dirs, dc_wants *wants,
                           dc_pool *names) DC_MUST_CHECK;
void dc_choices_fini(dc_choices *c);
/* *choice: what may be the golden of tensor t that wants `want` and looks in `dir`. Not collective.
 */
dc_status dc_choices_of(uint32_t *choice, dc_choices *c, uint32_t want, uint32_t dir,
                        const dc_tensor *t) DC_MUST_CHECK;
/* After all of them: find rivals, read the headers of what may be used, decide. The directories'
 * askers are known. Collective. Errors: DC_ENOMEM, agreed. */
dc_status dc_choices_decide(dc_choices *c, const dc_par *par) DC_MUST_CHECK;
/* The header of a file that is some tensor's golden. */
const dc_golden_head *dc_choices_head(const dc_choices *c, uint64_t file);
/* The number of the file for execution `occurrence`, UINT64_MAX if there are not as many. */
uint64_t dc_choices_file(const dc_choices *c, const dc_choice *choice, uint32_t occurrence);
#endif
