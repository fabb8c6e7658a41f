/* io/acl_tf.c - the TensorFlow adapter's dump options (hicann/tensorflow), from a file and from
 * --set KEY=VALUE, by its own rules. */
#include "io/acl_parts.h"
#include "io/near.h"

#include <stdio.h>
#include <string.h>

/* X(key): the adapter's names. The first ones belong to it alone, the last ones to acl.json too. */
#define TF_OWN(X)                                                                                  \
    X(enable_dump)                                                                                 \
    X(enable_dump_debug)                                                                           \
    X(dump_debug_mode)                                                                             \
    X(dump_layer)                                                                                  \
    X(quant_dumpable)                                                                              \
    X(enable_exception_dump)                                                                       \
    X(fusion_switch_file)
#define TF_SHARED(X) X(dump_path) X(dump_step) X(dump_mode) X(dump_data)
#define TF_KEYS(X)   TF_OWN(X) TF_SHARED(X)
#define ACL_OWN                                                                                    \
    "dump_list|dump_op_switch|dump_level|dump_stats|dump_debug|dump_scene|dump_kernel_data"

typedef enum key {
#define X(name) name,
    TF_KEYS(X) NKEYS
#undef X
} key;
static const char *const key_names[] = {
#define X(name) #name,
    TF_KEYS(X)
#undef X
};
#define TEXT(name)   "|" #name
#define TF_KNOWN     (&(TF_KEYS(TEXT))[1])
#define TF_OWN_KNOWN (&(TF_OWN(TEXT))[1])

typedef struct given {
    const char *text[NKEYS]; /* NULL = not given */
    bool set[NKEYS];         /* by --set */
    dc_dump_config *c;
} given;

bool dc_acl_is_tf(const dc_json_at *dump)
{
    bool own = false;
    for (dc_json_at it = dc_json_first(dump); it.node; dc_json_next(&it)) {
        if (dc_acl_choice(ACL_OWN, it.key, strlen(it.key)) >= 0)
            return false;
        own = own || dc_acl_choice(TF_OWN_KNOWN, it.key, strlen(it.key)) >= 0;
    }
    return own;
}

/* Refuse a value; the message names where it was given. */
static dc_status refuse(const given *g, key k, const char *code, const char *why)
{
    bool in_file = !g->set[k] && *g->c->file;
    g->c->code = code;
    return dc_fail(DC_EARG, "%s%s%s: %s%s%s%s", in_file ? g->c->file : "--set ",
                   in_file ? ": dump." : "", key_names[k], why, *code ? " [" : "", code,
                   *code ? "]" : "");
}

static dc_status refuse_value(const given *g, key k, const char *allowed)
{
    char why[400];
    snprintf(why, sizeof why, "\"%.100s\" is not allowed; allowed: %s", g->text[k], allowed);
    return refuse(g, k, "", why);
}

static dc_status read_file(given *g, const dc_json_at *dump)
{
    dc_status st = dc_acl_warn_keys(g->c, dump, TF_KNOWN);
    for (size_t k = 0; k < NKEYS && st == DC_OK; k++) {
        dc_json_at value = dc_json_get(dump, key_names[k]);
        if (cJSON_IsString(value.node))
            g->text[k] = value.node->valuestring;
        else if (cJSON_IsBool(value.node))
            g->text[k] = cJSON_IsTrue(value.node) ? "True" : "False";
        else if (cJSON_IsNumber(value.node)) {
            char text[32];
            int n = snprintf(text, sizeof text, "%.17g", value.node->valuedouble);
            g->text[k] = dc_acl_strndup(g->c, text, (size_t)n);
            st = g->text[k] ? DC_OK : DC_ENOMEM;
        } else if (value.node)
            st = dc_acl_refuse(g->c, "", &value, "must be a string, a number, true or false");
    }
    return st;
}

static dc_status unknown_key(given *g, const char *option, int n)
{
    char name[64], hint[DC_NEAR_TEXT];
    dc_near near = {0};
    snprintf(name, sizeof name, "%.*s", n > 60 ? 60 : n, option);
    if (dc_acl_choice(ACL_OWN, name, strlen(name)) >= 0)
        return dc_fail(DC_EARG, "--set %s: belongs into acl.json's dump object", name);
    for (size_t k = 0; k < NKEYS; k++)
        dc_near_offer(&near, name, key_names[k]);
    dc_near_print(hint, &near);
    g->c->code = "";
    return dc_fail(DC_EARG, "--set %s: unknown key%s (known: %s)", name, hint, TF_KNOWN);
}

static dc_status read_set(given *g, const dc_acl_options *options)
{
    for (size_t i = 0; i < options->nset; i++) {
        const char *option = options->set[i];
        size_t n = strcspn(option, "=");
        int k = dc_acl_choice(TF_KNOWN, option, n);
        if (k < 0)
            return unknown_key(g, option, (int)n);
        if (!option[n])
            return dc_fail(DC_EARG, "--set %s: write KEY=VALUE", option);
        g->text[k] = option + n + 1;
        g->set[k] = true;
    }
    return DC_OK;
}

static dc_status read_bool(bool *out, const given *g, key k)
{
    const char *text = g->text[k];
    int index = text ? dc_acl_choice("False|false|0|True|true|1", text, strlen(text)) : 0;
    if (index < 0)
        return refuse_value(g, k, "True, False");
    *out = index >= 3;
    return DC_OK;
}

static dc_status read_choice(int *out, const given *g, key k, const char *allowed)
{
    const char *text = g->text[k];
    int index = text ? dc_acl_choice(allowed, text, strlen(text)) : 0;
    if (index < 0)
        return refuse_value(g, k, allowed);
    *out = index;
    return DC_OK;
}

static dc_status read_steps(const given *g, bool strict)
{
    const char *what = key_names[dump_step];
    dc_steps steps;
    if (!g->text[dump_step])
        return DC_OK;
    dc_status st =
        dc_steps_parse(&steps, g->text[dump_step], strict ? DC_STEPS_STRICT : DC_STEPS_TF, what);
    if (st == DC_EARG)
        return refuse(g, dump_step, "", dc_last_error_of(what));
    if (st != DC_OK)
        return st;
    dc_steps_fini(&g->c->steps);
    g->c->steps = steps;
    g->c->step_text = g->text[dump_step];
    return DC_OK;
}

/* Names separated by white space become one entry for any model. */
static dc_status read_layer(const given *g)
{
    static const char blanks[] = " \t\n\v\f\r";
    dc_dump_config *c = g->c;
    const char *text = g->text[dump_layer];
    if (!text || !text[strspn(text, blanks)])
        return DC_OK;
    dc_dump_entry *entry = dc_acl_alloc(c, c->nentry + 1, sizeof *entry);
    char *copy = dc_acl_strndup(c, text, strlen(text));
    const char **item = dc_acl_alloc(c, strlen(text) / 2 + 1, sizeof *item);
    if (!entry || !copy || !item)
        return DC_ENOMEM;
    if (c->nentry)
        memcpy(entry, c->entry, c->nentry * sizeof *entry);
    c->entry = entry;
    entry += c->nentry++;
    *entry = (dc_dump_entry){.index = c->nentry - 1, .has_layer = true, .layer.item = item};
    char *rest = NULL;
    for (char *name = strtok_r(copy, blanks, &rest); name; name = strtok_r(NULL, blanks, &rest))
        item[entry->layer.n++] = name;
    c->has_list = true;
    c->all_models = false;
    return DC_OK;
}

static dc_status apply_modes(const given *g, bool dump, bool debug)
{
    dc_dump_config *c = g->c;
    int mode = (int)c->mode, data = (int)c->data, level = 0;
    dc_status st = DC_OK;
    if (dump && g->text[dump_mode])
        st = read_choice(&mode, g, dump_mode, DC_DUMP_ALLOWED(DC_DUMP_MODES));
    if (st == DC_OK && g->text[dump_data])
        st = read_choice(&data, g, dump_data, DC_DUMP_ALLOWED(DC_DUMP_DATAS));
    if (st == DC_OK && debug)
        st = read_choice(&level, g, dump_debug_mode, "all|aicore_overflow|atomic_overflow");
    if (st == DC_OK && g->text[enable_exception_dump])
        st = read_choice(&c->exception_dump, g, enable_exception_dump, "0|1|2");
    c->mode = debug ? DC_DUMP_MODE_ALL : (dc_dump_mode)mode;
    c->data = (dc_dump_data_kind)data;
    c->debug = c->debug || debug;
    return st;
}

static void apply_texts(const given *g)
{
    dc_dump_config *c = g->c;
    if (g->text[dump_path])
        c->path = g->text[dump_path];
    c->debug_mode = g->text[dump_debug_mode];
    c->quant_dumpable = g->text[quant_dumpable];
    c->fusion_switch_file = g->text[fusion_switch_file];
}

static dc_status apply(const given *g, bool strict)
{
    dc_dump_config *c = g->c;
    bool dump = false, debug = false, told = g->text[enable_dump] || g->text[enable_dump_debug];
    dc_status st = read_bool(&dump, g, enable_dump);
    if (st == DC_OK)
        st = read_bool(&debug, g, enable_dump_debug);
    if (st != DC_OK)
        return st;
    if (dump && debug)
        return refuse(g, enable_dump_debug, "E10001",
                      "must not be on together with enable_dump; the graph engine refuses both");
    if (told && (dump || debug) && !g->text[dump_path] && !c->path)
        return refuse(g, dump_path, "", "must be set when enable_dump or enable_dump_debug is on");
    bool implied =
        !told && c->from_tf &&
        (g->set[dump_layer] || g->set[dump_step] || g->set[dump_mode] || g->set[dump_path]);
    bool on = dump || implied || (!told && c->need_dump);
    apply_texts(g);
    st = apply_modes(g, on, debug);
    if (st == DC_OK && on)
        st = read_steps(g, strict);
    if (st == DC_OK && on)
        st = read_layer(g);
    if (told || c->from_tf)
        c->need_dump = c->model_dump = on || debug;
    if (on && !c->nentry && c->from_tf)
        c->all_models = true;
    return st;
}

dc_status dc_acl_apply_tf(dc_dump_config *c, const dc_json_at *dump, const dc_acl_options *options)
{
    given g = {.c = c};
    c->from_tf = dump || !c->has_dump;
    c->has_dump = true;
    dc_status st = dump ? read_file(&g, dump) : DC_OK;
    if (st == DC_OK)
        st = read_set(&g, options);
    if (st == DC_OK)
        st = apply(&g, options->strict);
    if (st == DC_OK && dump && !c->need_dump)
        st = dc_acl_note(&c->ge, dump,
                         "nothing would be dumped: enable_dump and "
                         "enable_dump_debug are off");
    return st;
}
