/* tests/align_fixture.h - catalogs made by hand, golden files made by code, results as text. */
#ifndef DC_ALIGN_FIXTURE_H
#define DC_ALIGN_FIXTURE_H
#include "compare/align.h"

/* One NPU tensor; what is left out is zero, "" or none. */
typedef struct dc_fix_row {
    const char *op, *type, *origin; /* type NULL = "Add"; origin NULL = none */
    const char *shape;              /* original shape and device shape; NULL = "2x3" */
    const char *model;              /* NULL = "net" */
    int64_t step;
    int32_t rank, run;
    uint32_t slot, occurrence;
    uint8_t direction; /* 0 means output, 1 input, 2 buffer */
    uint8_t dtype;     /* 0 = float32 */
} dc_fix_row;

/* This process's part of row[0..n): cut where the number of processes says. Freed by
 * dc_fix_catalog_fini. Not collective. */
void dc_fix_catalog(dc_catalog *out, const dc_fix_row *row, uint64_t n, const dc_par *par);
void dc_fix_catalog_fini(dc_catalog *c);

/* Write DIR/NAME as float32 (dtype 0) or another type, of a shape "2x3", all zero. */
void dc_fix_golden(const char *dir, const char *name, const char *shape, uint32_t dtype);
/* The whole alignment as text, the same on every process: pairs of all processes in order, then
 * process 0's lines, messages and counts. malloc'd. Collective. */
char *dc_fix_print(const dc_alignment *a, const dc_catalog *c, const dc_par *par);
/* Assert that text holds part; process 0 prints it otherwise. */
void dc_fix_expect(const char *text, const char *part);

/* An alignment with golden files. */
typedef struct dc_fix_question {
    const dc_fix_row *row;
    uint64_t n;
    const char *golden, *steps;
    const dc_graph *graph;
    const uint8_t *chosen; /* [n], NULL = all */
} dc_fix_question;

/* *text as of dc_fix_print, NULL if it fails. Collective. */
dc_status dc_fix_align(char **text, const dc_fix_question *q, const dc_par *par) DC_MUST_CHECK;
/* What all processes say, checked to be what one says, which is freed. */
char *dc_fix_agreed(char *together, char *alone);
/* The alignment as text by all processes, checked to be what one process says; malloc'd.
 * Collective. */
char *dc_fix_answer(const dc_fix_question *q);
/* A shared directory with these goldens of shape 2x3, float32. Collective. */
const char *dc_fix_goldens(const char *const *name, size_t n);
#endif
