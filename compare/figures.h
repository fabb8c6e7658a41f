/* compare/figures.h - what reports tell of a pair's metrics, once the verdict is known: kept for
 * every row. */
#ifndef DC_FIGURES_H
#define DC_FIGURES_H
#include "compare/metric.h"

/* As in dc_metrics, but for exact. */
typedef struct dc_figures {
    double value[DC_METRIC_COUNT];
    double mean[2], std[2];
    uint64_t n, nan[2], inf[2];
    uint64_t mismatch, differ, over;
    uint64_t exact;   /* where `exact_fits`: the largest |left - right| */
    dc_element worst; /* the first of which one side alone is NaN or Inf, else that of the largest
                         difference; none if nothing differs */
    bool valid[DC_METRIC_COUNT];
    bool integral;   /* both sides are integers: worst.exact is set */
    bool exact_fits; /* and the largest difference is less than 2^64 */
} dc_figures;
_Static_assert(sizeof(dc_figures) == 240, "one for every row");

/* None is collective; none can fail. */
dc_figures dc_figures_of(const dc_metrics *m, const uint32_t dtype[2]);
/* The report's cell: "" when undefined, else %.6f, or %.6e where that would hide the value; STD is
 * "(mean;std),(mean;std)" of left and right with 3 digits. text holds DC_FIGURES_TEXT bytes. */
#define DC_FIGURES_TEXT 96
void dc_figures_print(char *text, const dc_figures *f, dc_metric_id id);
#endif
