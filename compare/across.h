/* compare/across.h - compare ranks with each other: tensors that must be replicated, by hash, and
 * by value where hashes differ. */
#ifndef DC_ACROSS_H
#define DC_ACROSS_H
#include "compare/align.h"
#include "compare/report_file.h"
#include "compare/run.h"
#include "io/group_list.h"

#define DC_ACROSS_SHOWN 5 /* failing tensors that the summary has */

typedef struct dc_across_ask {
    const dc_catalog *npu;
    const uint8_t *chosen;         /* [npu->n] */
    const dc_align_graphs *graphs; /* tell which inputs are variables; find may be NULL */
    const dc_group_list *groups;   /* of ranks that are to agree; NULL: as the graphs have them */
    const char *const *replicated; /* [nreplicated] patterns: compare/replicated.h */
    size_t nreplicated;
    dc_profile profile; /* atol or rtol given: what they pass agrees; else values must be equal */
    uint32_t metrics;   /* bit i: metric i is computed and printed */
    dc_progress_mode progress;
    bool excel;
} dc_across_ask;

/* The same on every process but for the file's parts. */
typedef struct dc_across {
    uint64_t sets; /* tensors that several ranks, or one, have */
    uint64_t agreed, failed, missed;
    uint64_t within;  /* sets of a group of ranks, not of all */
    uint64_t left;    /* tensors of ranks in no group that was told */
    uint64_t divided; /* failing sets of three ranks or more, of all ranks, without a majority */
    uint64_t bytes;   /* read of tensors, for hashes and values */
    char *first;      /* the first failing one in words, or "ranks agree"... ; owned */
    char *shown;      /* lines of the first failing ones; owned */
    dc_report_parts file;
} dc_across;

/* Collective; ask is the same everywhere but for the catalog's rows and `chosen`. What cannot be
 * read is a line with a reason. Errors, agreed: DC_EARG (a bad pattern), DC_ENOMEM, those of a
 * graph. On error *out is empty. */
dc_status dc_across_run(dc_across *out, const dc_across_ask *ask, const dc_par *par) DC_MUST_CHECK;
void dc_across_fini(dc_across *a);
/* Append the block of the summary. Errors: DC_ENOMEM. Not collective. */
dc_status dc_across_print(dc_buf *out, const dc_across *a) DC_MUST_CHECK;
#endif
