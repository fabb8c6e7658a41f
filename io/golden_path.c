/* io/golden_path.c - see golden_path.h */
#include "io/golden_path.h"

#include "io/cmp.h"
#include "io/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Read a decimal number; text moves behind it. */
static bool read_number(int64_t *out, const char **text)
{
    char *end;
    errno = 0;
    long long v = strtoll(*text, &end, 10);
    if (end == *text || errno || **text == ' ')
        return false;
    *out = v;
    *text = end;
    return true;
}

static int compare_steps(const void *left, const void *right)
{
    const struct dc_step_pair *a = left, *b = right;
    return DC_CMP(a->npu, b->npu);
}

static dc_status read_pairs(dc_step_map *m, const char *text)
{
    size_t cap = 0;
    for (const char *at = text;; at++) {
        struct dc_step_pair p;
        dc_status st = dc_grow((void **)&m->pair, &cap, m->n, 1, sizeof *m->pair);
        if (st != DC_OK)
            return st;
        if (!read_number(&p.npu, &at) || *at++ != '=' || !read_number(&p.golden, &at) ||
            (*at && *at != ',') || p.npu < 0 || p.golden < 0)
            return dc_fail(DC_EARG,
                           "'%s' is neither an offset (+1, -1) nor a list of pairs of steps, "
                           "npu=golden (10=0,20=1)",
                           text);
        m->pair[m->n++] = p;
        if (!*at)
            break;
    }
    qsort(m->pair, m->n, sizeof *m->pair, compare_steps);
    for (size_t i = 1; i < m->n; i++)
        if (m->pair[i].npu == m->pair[i - 1].npu)
            return dc_fail(DC_EARG, "'%s' gives NPU step %" PRId64 " twice", text, m->pair[i].npu);
    return DC_OK;
}

dc_status dc_step_map_parse(dc_step_map *out, const char *text)
{
    *out = (dc_step_map){0};
    const char *at = text;
    if (!*text || (read_number(&out->offset, &at) && !*at))
        return DC_OK;
    out->offset = 0;
    dc_status st = read_pairs(out, text);
    if (st != DC_OK)
        dc_step_map_fini(out);
    return st;
}

void dc_step_map_fini(dc_step_map *m)
{
    free(m->pair);
    *m = (dc_step_map){0};
}

bool dc_step_map_get(int64_t *golden, const dc_step_map *m, int64_t npu)
{
    if (npu < 0) {
        *golden = -1;
        return true;
    }
    if (!m->n)
        return !__builtin_add_overflow(npu, m->offset, golden) && *golden >= 0;
    struct dc_step_pair key = {npu, 0};
    const struct dc_step_pair *p = bsearch(&key, m->pair, m->n, sizeof key, compare_steps);
    if (p)
        *golden = p->golden;
    return p != NULL;
}

enum { RANK, DEVICE, STEP, WORDS };
static const char *const words[WORDS] = {"{rank}", "{device}", "{step}"};

static int word_at(const char *text)
{
    for (int w = 0; w < WORDS; w++)
        if (strncmp(text, words[w], strlen(words[w])) == 0)
            return w;
    return WORDS;
}

dc_golden_uses dc_golden_path_uses(const char *pattern)
{
    bool used[WORDS + 1] = {0};
    for (const char *at = pattern; (at = strchr(at, '{')) != NULL; at++) {
        if (at[1] == '{')
            at++;
        else
            used[word_at(at)] = true;
    }
    return (dc_golden_uses){used[RANK], used[DEVICE], used[STEP]};
}

dc_status dc_golden_path(char **out, const char *pattern, int32_t rank, int32_t device,
                         int64_t step)
{
    dc_buf path = {0};
    const int64_t value[WORDS] = {rank, device, step};
    dc_status st = DC_OK;
    for (const char *at = pattern; st == DC_OK && *at;) {
        size_t plain = strcspn(at, "{");
        st = dc_buf_add(&path, at, plain);
        at += plain;
        if (st != DC_OK || !*at)
            break;
        int w = word_at(at);
        if (at[1] == '{') {
            st = dc_buf_puts(&path, "{");
            at += 2;
        } else if (w == WORDS) {
            st = dc_fail(
                DC_EARG,
                "--golden %s: only {rank}, {device} and {step} are replaced; write {{ for a brace",
                pattern);
        } else if (value[w] < 0) {
            st = dc_fail(DC_EARG, "--golden %s: there is a tensor without a number for %s", pattern,
                         words[w]);
        } else {
            st = dc_buf_printf(&path, "%" PRId64, value[w]);
            at += strlen(words[w]);
        }
    }
    if (st == DC_OK)
        st = dc_buf_add(&path, "", 1);
    *out = st == DC_OK ? path.data : NULL;
    if (st != DC_OK)
        dc_buf_free(&path);
    return st;
}
