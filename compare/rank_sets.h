/* compare/rank_sets.h - the same tensor of several ranks: who agrees with whom. Pure: no
 * communication. */
#ifndef DC_RANK_SETS_H
#define DC_RANK_SETS_H
#include "compare/row.h"

#define DC_NO_GROUP UINT32_MAX

typedef enum dc_member_state {
    DC_MEMBER_HELD, /* has bytes */
    DC_MEMBER_BARE, /* nothing was dumped */
    DC_MEMBER_LOST  /* its bytes cannot be read */
} dc_member_state;

/* One rank's tensor. Without padding trouble: never compared as bytes. */
typedef struct dc_rank_member {
    dc_spot at;
    uint64_t part;  /* the group of ranks that are to agree: compare/rank_groups.h */
    uint64_t bits;  /* equal for equal bytes of equal type and layout */
    int32_t home;   /* the process that has the catalog's row */
    uint32_t state; /* dc_member_state */
    uint32_t group; /* in its set, numbered by lowest rank; DC_NO_GROUP if not held */
} dc_rank_member;

/* Members first .. first+n-1, by rank. */
typedef struct dc_rank_set { /* one tensor, one part */
    size_t first, n, held, lost;
    uint32_t groups;    /* of equal bits */
    uint32_t reference; /* the largest; of several the first */
} dc_rank_set;

typedef struct dc_rank_sets {
    dc_rank_member *member; /* in the order of sets, then ranks */
    size_t members;
    dc_row **answer; /* [members]: for the first of each group but the reference, how it compares
                        with the reference's first; owned */
    dc_rank_set *set;
    size_t n;
} dc_rank_sets;

typedef struct dc_rank_judged {
    dc_verdict verdict;
    bool missed;   /* should have been judged */
    bool majority; /* more than half of those held agree */
    bool relaxed;  /* some bits differ where values agree */
    size_t worst;  /* of the deviating members that were compared the one farthest off, SIZE_MAX */
} dc_rank_judged;

/* What ranks share of a tensor's identity: 0 if a and b are the same tensor of two ranks. */
int dc_rank_key_compare(const dc_tensor *a, const dc_tensor *b);
/* The process that a tensor's set belongs to. */
int dc_rank_owner(const dc_tensor *t, const dc_par *par);
/* Sort member[0..n) (malloc'd, taken over in any case) into sets and groups. Errors: DC_ENOMEM;
 * *out is then empty. */
dc_status dc_rank_sets_make(dc_rank_sets *out, dc_rank_member *member, size_t n) DC_MUST_CHECK;
void dc_rank_sets_fini(dc_rank_sets *s);
/* The member of that identity and rank, whatever its part; SIZE_MAX if there is none. */
size_t dc_rank_sets_find(const dc_rank_sets *s, const dc_tensor *t);
/* The first member of a group. */
size_t dc_rank_sets_first(const dc_rank_sets *s, const dc_rank_set *set, uint32_t group);
/* Do the values of a member's group equal the reference's? tolerant: values that its row's verdict
 * passes do. False for members that are not held. */
bool dc_rank_sets_agrees(const dc_rank_sets *s, const dc_rank_set *set, size_t member,
                         bool tolerant);
/* Deviating values fail; with fewer than two members held, or lost ones and no failure, nothing is
 * judged. */
dc_rank_judged dc_rank_sets_judge(const dc_rank_sets *s, const dc_rank_set *set, bool tolerant);
#endif
