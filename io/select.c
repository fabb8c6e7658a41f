/* io/select.c - see select.h: the decisions. Compiling is in select_build.c and select_table.c,
 * ranges in select_pass.c, the report of unmatched selectors in select_report.c. */
#include "io/select.h"

#include "io/select_parts.h"

#include <stdlib.h>
#include <string.h>

enum { BAN_TABLES = 4 };

/* What the configuration says of an operator. */
typedef enum choice {
    NOT_THERE, /* its model is not selected at all */
    WHOLE,     /* its model is, whole */
    LISTED,    /* by name: a layer, a range, what it feeds */
    UNLISTED   /* others of its model are */
} choice;

static bool counts(const dc_select_op *op)
{
    return !op->preview && !op->uncounted;
}

static bool in_intervals(dc_select *s, const dc_steps *set, size_t selector, uint64_t v)
{
    for (size_t i = 0; i < set->n; i++) {
        if (v < set->range[i].first || v > set->range[i].last)
            continue;
        s->count[selector + i]++;
        return true;
    }
    return set->n == 0;
}

bool dc_select_rank(dc_select *s, uint64_t rank)
{
    return in_intervals(s, &s->ranks, s->rank_selector, rank);
}

bool dc_select_step(dc_select *s, uint64_t step)
{
    return in_intervals(s, &s->steps, s->step_selector, step);
}

/* A first look that knows no name yet. */
static bool is_unnamed(const dc_select_op *op)
{
    return op->preview && !*op->name;
}

static bool match_one(const dc_select_pattern *p, const dc_select_op *op)
{
    bool own_name = op->own_names && !p->deep;
    if (is_unnamed(op) ||
        (op->preview && ((p->is_regex && op->sanitised) || (op->original_unknown && !own_name))))
        return true;
    if (dc_select_pattern_match(p, op->name, op->sanitised))
        return true;
    for (size_t i = 0; i < op->noriginal && !own_name; i++)
        if (dc_select_pattern_match(p, op->original[i], false))
            return true;
    return false;
}

/* Whether any pattern matches the operator's names; all are asked, for their counts. last: the
 * operator is not asked about again, so that a match of its name counts on a first look too. */
static bool match_names(dc_select *s, const dc_select_patterns *patterns, const dc_select_op *op,
                        bool last)
{
    bool any = false;
    for (size_t i = 0; i < patterns->n; i++) {
        const dc_select_pattern *p = &patterns->item[i];
        if (!match_one(p, op))
            continue;
        any = true;
        s->count[p->selector] +=
            counts(op) || (last && !op->uncounted && !(p->is_regex && op->sanitised) &&
                           dc_select_pattern_match(p, op->name, op->sanitised));
    }
    return any;
}

/* sure: a match on a first look decides, so that the operator is not asked about again. */
static bool match_type(dc_select *s, const dc_select_patterns *patterns, const dc_select_op *op,
                       bool sure)
{
    bool any = false;
    for (size_t i = 0; i < patterns->n; i++) {
        if (!dc_select_pattern_match(&patterns->item[i], op->type ? op->type : "", false))
            continue;
        any = true;
        s->count[patterns->item[i].selector] += counts(op) || (sure && !op->uncounted);
    }
    return any;
}

/* As it stands, or both with _ for space . / and \, as directories have it. */
static bool match_model_name(const dc_select_pattern *p, const char *name)
{
    char clean[DC_SELECT_MODEL];
    return dc_select_pattern_match(p, name, false) ||
           (!p->is_regex && dc_select_clean_model(clean, name) &&
            dc_select_pattern_match(p, clean, true));
}

static bool match_model(dc_select *s, const dc_select_model *m)
{
    const char *const names[] = {m->dir, m->canonical, m->om, m->graph, m->root};
    bool any = s->model.n == 0;
    for (size_t i = 0; i < s->model.n; i++) {
        bool this = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            this = this || (names[k] && match_model_name(&s->model.item[i], names[k]));
        s->count[s->model.item[i].selector] += this;
        any = any || this;
    }
    return any;
}

/* Exact name in a set; counts. */
static bool in_names(dc_select *s, const dc_select_names *names, const char *text,
                     const dc_select_op *op, bool sanitised)
{
    size_t n;
    dc_select_name *const *found = dc_select_names_find(&n, names, text, sanitised);
    for (size_t i = 0; i < n && counts(op); i++)
        s->count[found[i]->selector]++;
    return n > 0;
}

static bool is_collective(const char *type)
{
    return type && strncmp(type, "Hcom", 4) == 0;
}

/* Whether a set of layers names the operator, by its own or an original name. */
static bool in_layers(dc_select *s, const dc_select_names *layers, const dc_select_op *op)
{
    bool own_only = op->name_only || is_collective(op->type);
    bool any = in_names(s, layers, op->name, op, op->sanitised);
    for (size_t i = 0; i < op->noriginal && !own_only; i++)
        any |= in_names(s, layers, op->original[i], op, false);
    return any || is_unnamed(op) || (op->preview && op->original_unknown && !own_only);
}

/* GE's need(): what the table of one model name, or the any-model one, says. */
static choice in_table(dc_select *s, const dc_select_table *t, bool has_ranges,
                       const dc_select_op *op)
{
    if (!t)
        return NOT_THERE;
    if (t->model)
        s->count[t->selector] += counts(op);
    if (!t->layer.n)
        return has_ranges ? UNLISTED : WHOLE;
    return in_layers(s, &t->layer, op) ? LISTED : UNLISTED;
}

static bool in_ranges(const dc_select_op *op, bool has_ranges)
{
    if (!has_ranges || op->range_known)
        return has_ranges && op->in_range;
    if (!op->pass || is_unnamed(op))
        return op->preview;
    return op->sanitised ? dc_select_pass_has_clean(op->pass, op->name)
                         : dc_select_pass_has(op->pass, op->name);
}

/* The stronger of two answers, in the order WHOLE, LISTED, UNLISTED, NOT_THERE. */
static choice stronger(choice a, choice b)
{
    static const int strength[] = {[NOT_THERE] = 0, [UNLISTED] = 1, [LISTED] = 2, [WHOLE] = 3};
    return strength[a] >= strength[b] ? a : b;
}

/* The same for the root graph's name, by which GE asks first. */
static choice in_root(dc_select *s, const dc_select_op *op)
{
    const dc_select_model root = {.om = op->model->om, .graph = op->model->root};
    if (!root.graph || !*root.graph)
        return NOT_THERE;
    return in_table(s, dc_select_table_of(s, &root, false), dc_select_has_ranges(s, &root), op);
}

/* {layer}_To_{watched}: a watched node's outputs after a layer ran; or the watched node itself. */
static choice by_watcher(dc_select *s, const dc_select_op *op)
{
    bool any = in_names(s, &s->watcher, op->name, op, op->sanitised) || is_unnamed(op);
    const dc_select_names *layers = &s->table[0].layer;
    for (const char *to = strstr(op->name, "_To_"); to; to = strstr(to + 1, "_To_")) {
        if (!in_names(s, &s->watcher, to + 4, op, op->sanitised))
            continue;
        char *layer = strndup(op->name, (size_t)(to - op->name));
        any = any || !layers->n || !layer || in_names(s, layers, layer, op, op->sanitised);
        free(layer);
    }
    return any ? LISTED : UNLISTED;
}

/* Operator types of the kernel level: "aclnnAdd_12_L0", "aclnnAdd_12_L2". */
static bool is_kernel(const char *type)
{
    size_t n = type ? strlen(type) : 0;
    return n > 3 && (strcmp(type + n - 3, "_L0") == 0 || strcmp(type + n - 3, "_L2") == 0);
}

static choice by_level(const dc_dump_config *c, const dc_select_op *op)
{
    dc_dump_level other = is_kernel(op->type) ? DC_DUMP_LEVEL_OP : DC_DUMP_LEVEL_KERNEL;
    return c->level == other ? NOT_THERE : WHOLE;
}

static choice by_config(dc_select *s, const dc_select_op *op)
{
    const dc_dump_config *c = s->config;
    if (!c || c->debug || (c->scene && c->scene != DC_DUMP_SCENE_WATCHER))
        return WHOLE; /* overflow and exception files are not chosen by name */
    if (!c->need_dump)
        return NOT_THERE;
    if (!op->model->dir)
        return by_level(c, op);
    if (c->level == DC_DUMP_LEVEL_KERNEL)
        return NOT_THERE;
    if (c->scene == DC_DUMP_SCENE_WATCHER)
        return by_watcher(s, op);
    if (c->all_models)
        return WHOLE;
    const dc_select_table *own = dc_select_table_of(s, op->model, false);
    bool has_ranges = dc_select_has_ranges(s, op->model);
    choice answer;
    if (s->has_any) {
        answer = in_table(s, &s->table[0], false, op);
        if (own)
            s->count[own->selector] += counts(op);
    } else {
        answer = stronger(in_table(s, own, has_ranges, op), in_root(s, op));
    }
    return in_ranges(op, has_ranges) ? stronger(answer, LISTED) : answer;
}

bool dc_select_is_data(const char *op_type)
{
    static const char *const types[] = {"Data", "RefData", "AippData", "AnnData"};
    for (size_t i = 0; op_type && i < sizeof types / sizeof *types; i++)
        if (strcmp(op_type, types[i]) == 0)
            return true;
    return false;
}

static choice by_file(dc_select *s, const dc_select_op *op)
{
    choice answer = by_config(s, op);
    if (op->feeds_selected >= 0 && dc_select_is_data(op->type))
        answer = op->feeds_selected ? LISTED : UNLISTED;
    if (answer == NOT_THERE && s->model.n)
        answer = WHOLE; /* the command line names the model */
    return answer;
}

/* Blacklists of every name the model has, and of any model, count together. */
static void ban_tables(const dc_select_table *tables[BAN_TABLES], const dc_select *s,
                       const dc_select_model *m)
{
    const dc_select_model graph = {.dir = m->dir, .canonical = m->canonical, .graph = m->graph};
    tables[0] = s->ntable ? &s->table[0] : NULL;
    tables[1] = dc_select_table_named(s, m->om);
    tables[2] = dc_select_table_of(s, &graph, false);
    tables[3] = dc_select_table_named(s, m->root);
}

/* A blacklist entry has matched when its operator is there: in a dump made with it, the tensors are
 * not. */
static void count_bans(dc_select *s, const dc_select_op *op)
{
    const dc_select_table *tables[BAN_TABLES];
    ban_tables(tables, s, op->model);
    for (size_t i = 0; i < BAN_TABLES; i++) {
        if (!tables[i])
            continue;
        in_names(s, &tables[i]->type_ban, op->type ? op->type : "", op, false);
        in_names(s, &tables[i]->name_ban, op->name, op, op->sanitised);
    }
}

bool dc_select_ops(dc_select *s, const dc_select_op *op)
{
    bool model = match_model(s, op->model);
    count_bans(s, op);
    choice file = by_file(s, op);
    bool typed = match_type(s, &s->type, op, false);
    bool named = match_names(s, &s->op, op, s->type.n && !typed);
    bool excluded = match_names(s, &s->exclude, op, false);
    if (op->preview && (op->original_unknown || op->sanitised || is_unnamed(op)))
        excluded = false; /* not known for sure yet */
    excluded |= match_type(s, &s->exclude_type, op, true);
    if (!model || excluded)
        return false;
    if (!s->op.n && !s->type.n)
        return file == WHOLE || file == LISTED;
    bool asked = (named || !s->op.n) && (typed || !s->type.n);
    return file == LISTED || (file != NOT_THERE && asked);
}

bool dc_select_models(dc_select *s, const dc_select_model *model)
{
    const dc_dump_config *c = s->config;
    if (!match_model(s, model))
        return false;
    if (!c || s->model.n || c->debug || c->scene)
        return true;
    if (!c->need_dump || (model->dir && c->level == DC_DUMP_LEVEL_KERNEL))
        return false;
    const dc_select_table *own = dc_select_table_of(s, model, false);
    if (own)
        s->count[own->selector]++;
    return !model->dir || c->all_models || s->has_any || own ||
           dc_select_table_named(s, model->root);
}

static bool has_pos(const dc_dump_ban *ban, struct dc_dump_pos pos)
{
    for (size_t i = 0; i < ban->npos; i++)
        if (ban->pos[i].output == pos.output && ban->pos[i].slot == pos.slot)
            return true;
    return false;
}

static bool banned_by(const dc_select_names *bans, const char *text, bool sanitised,
                      struct dc_dump_pos pos)
{
    size_t n;
    dc_select_name *const *found = dc_select_names_find(&n, bans, text, sanitised);
    for (size_t i = 0; i < n; i++)
        if (has_pos(found[i]->ban, pos))
            return true;
    return false;
}

static bool banned(const dc_select *s, const dc_select_op *op, struct dc_dump_pos pos)
{
    const dc_select_table *tables[BAN_TABLES];
    ban_tables(tables, s, op->model);
    for (size_t i = 0; i < BAN_TABLES; i++) {
        const dc_select_table *t = tables[i];
        if (t && (banned_by(&t->type_ban, op->type ? op->type : "", false, pos) ||
                  banned_by(&t->name_ban, op->name, op->sanitised, pos)))
            return true;
    }
    return false;
}

bool dc_select_banned(const dc_select *s, const dc_select_op *op, dc_direction direction,
                      uint32_t slot)
{
    if (!dc_select_has_bans(s) || op->ignores_bans)
        return false;
    struct dc_dump_pos pos = {direction == DC_OUTPUT, slot};
    if (dc_select_is_data(op->type))
        pos = (struct dc_dump_pos){true, 0}; /* GE asks for output0 of a pulled-in data node */
    return banned(s, op, pos);
}

bool dc_select_slot(dc_select *s, const dc_select_op *op, dc_direction direction, uint32_t slot)
{
    bool input = direction == DC_INPUT, output = direction == DC_OUTPUT;
    if ((input && s->mode == DC_DUMP_MODE_OUTPUT) || (output && s->mode == DC_DUMP_MODE_INPUT) ||
        (direction == DC_SPACE && s->mode != DC_DUMP_MODE_ALL))
        return false;
    return !(input || output) || !dc_select_banned(s, op, direction, slot);
}

static bool deepen(const dc_select *s, dc_select_patterns *patterns)
{
    bool any = false;
    for (size_t i = 0; i < patterns->n; i++) {
        patterns->item[i].deep = s->count[patterns->item[i].selector] == 0;
        any = any || patterns->item[i].deep;
    }
    return any;
}

bool dc_select_deepen(dc_select *s)
{
    bool op = deepen(s, &s->op), exclude = deepen(s, &s->exclude);
    for (size_t i = 0; i < s->nselector && (op || exclude); i++) {
        dc_selector_kind kind = s->selector[i].kind;
        if (kind < DC_SELECTOR_BEGIN || kind > DC_SELECTOR_RANGE) /* models are passed once */
            s->count[i] = 0;
    }
    return op || exclude;
}

bool dc_select_has_bans(const dc_select *s)
{
    bool any = false;
    for (size_t i = 0; i < s->ntable; i++)
        any = any || s->table[i].type_ban.n || s->table[i].name_ban.n;
    return any;
}
