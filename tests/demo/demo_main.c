/* tests/demo/demo_main.c - dumpcap-demo: trains a small network data-parallel and leaves what a
 * server of NPUs and a reference run in TensorFlow would, with a fault planted if asked for. */
#include "io/dtype.h"
#include "io/log.h"
#include "io/path.h"
#include "tests/demo/demo_graph.h"
#include "tests/demo/demo_place.h"
#include "tests/demo/demo_run.h"
#include "tests/demo/demo_write.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 10000

static const char help[] =
    "usage: dumpcap-demo --out DIR [options]      (alone, or under mpirun with any -np)\n"
    "\n"
    "Trains a small convolutional network on drawn digits, data-parallel, twice: in float32 as "
    "the\n"
    "reference, and rounded to 16 bits after each operator as an NPU would. DIR gets\n"
    "  dump/TIME/DEVICE/MODEL/ID/STEP/   dump files of every device operator, layouts and all\n"
    "  graphs/pid_P_deviceid_D/          ge_proto_*.txt of the compilation\n"
    "  golden/rank_R/step_S/             reference tensors, NAME.INDEX.TIMESTAMP.npy\n"
    "  acl.json, planted.txt             what selects the dump; which fault is in it\n"
    "The same options give the same bytes, whatever -np.\n"
    "\n"
    "  --out DIR           directory to fill; must not hold a run already\n"
    "  --ranks N           training ranks, one device each (default 8)\n"
    "  --steps N           training steps (default 3)\n"
    "  --dtype TYPE        float16 (default) or bfloat16\n"
    "  --fault OP:KIND[@RANK]  plant a fault in the device's run, from the second step on\n"
    "                      (rank 3, or the last, if not given)\n"
    "  --list-faults       print every OP:KIND and exit\n"
    "  --time DIGITS       start of the run, YYYYmmddHHMMSS (default 20240613143502)\n"
    "  --size SIZE         small (default, 25 MB) or large (330 MB)\n"
    "  --help              this text\n";

enum { OUT = 1, RANKS, STEPS, DTYPE, FAULT, LIST, TIME, SIZE, HELP };

typedef struct arguments {
    dc_demo_options options;
    bool list, help;
} arguments;

static dc_status parse_number(int *out, const char *option, const char *text, int max)
{
    char *end;
    long v = strtol(text, &end, 10);
    if (end == text || *end || v < 1 || v > max)
        return dc_fail(DC_EARG, "--%s %s: give a number from 1 to %d", option, text, max);
    *out = (int)v;
    return DC_OK;
}

/* One of two words: *second says which. */
static dc_status parse_choice(bool *second, const char *option, const char *const words[2])
{
    *second = !strcmp(optarg, words[1]);
    if (!*second && strcmp(optarg, words[0]) != 0)
        return dc_fail(DC_EARG, "--%s %s: give %s or %s", option, optarg, words[0], words[1]);
    return DC_OK;
}

static dc_status parse_option(arguments *a, int option)
{
    bool bfloat16 = false;
    dc_status st;
    switch (option) {
    case OUT:
        a->options.out = optarg;
        return DC_OK;
    case RANKS:
        return parse_number(&a->options.ranks, "ranks", optarg, DC_DEMO_MAX_RANKS);
    case STEPS:
        return parse_number(&a->options.steps, "steps", optarg, MAX_STEPS);
    case DTYPE:
        st = parse_choice(&bfloat16, "dtype", (const char *const[]){"float16", "bfloat16"});
        a->options.half = bfloat16 ? DC_BFLOAT16 : DC_FLOAT16;
        return st;
    case FAULT:
        a->options.fault = optarg;
        return DC_OK;
    case TIME:
        a->options.time = optarg;
        return dc_demo_check_time(optarg);
    case SIZE:
        return parse_choice(&a->options.large, "size", (const char *const[]){"small", "large"});
    case LIST:
        a->list = true;
        return DC_OK;
    case HELP:
        a->help = true;
        return DC_OK;
    default:
        return dc_fail(DC_EARG, "bad option; see --help");
    }
}

static dc_status parse(arguments *a, int argc, char **argv)
{
    static const struct option options[] = {
        {"out", 1, NULL, OUT},     {"ranks", 1, NULL, RANKS}, {"steps", 1, NULL, STEPS},
        {"dtype", 1, NULL, DTYPE}, {"fault", 1, NULL, FAULT}, {"list-faults", 0, NULL, LIST},
        {"time", 1, NULL, TIME},   {"size", 1, NULL, SIZE},   {"help", 0, NULL, HELP},
        {NULL, 0, NULL, 0}};
    dc_status st = DC_OK;
    int option;
    opterr = 0;
    *a = (arguments){.options = {.time = "20240613143502", .ranks = 8, .steps = 3}};
    a->options.half = DC_FLOAT16;
    while (st == DC_OK && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
        st = parse_option(a, option);
    if (st == DC_OK && optind < argc)
        st = dc_fail(DC_EARG, "'%s' is not an option; see --help", argv[optind]);
    if (st == DC_OK && !a->help && !a->list && !a->options.out)
        st = dc_fail(DC_EARG, "--out DIR is missing; see --help");
    return st;
}

/* Two runs in one directory could not be told apart. */
static dc_status refuse_second(const dc_demo_plan *plan)
{
    char *dump = dc_path_join(plan->options.out, "dump");
    dc_status st = dump ? DC_OK : DC_ENOMEM;
    if (dump && dc_path_is_dir(dump))
        st = dc_fail(DC_EEXIST, "%s: is there already; give another --out or remove it", dump);
    free(dump);
    return st;
}

static dc_status write_graphs(const dc_demo_plan *plan, const dc_par *par)
{
    int next = dc_demo_first_rank(plan, par->process + 1, par->processes);
    dc_status st = DC_OK;
    for (int i = dc_demo_first_rank(plan, par->process, par->processes); st == DC_OK && i < next;
         i++)
        st = dc_demo_write_graphs(plan, i);
    return st;
}

/* Process 0's files, and its one line. */
static dc_status report(const dc_demo_plan *plan, const dc_demo_fault *fault)
{
    dc_buf line = {.data = dc_demo_fault_text(fault, plan)};
    if (!line.data)
        return DC_ENOMEM;
    line.n = strlen(line.data);
    fputs(line.data, stdout);
    dc_status st = dc_demo_write_text(plan->options.out, "planted.txt", &line);
    if (st == DC_OK)
        st = dc_demo_write_config(plan);
    dc_buf_free(&line);
    return st;
}

static dc_status demo(const dc_demo_plan *plan, const dc_par *par)
{
    dc_demo_fault fault;
    dc_status st = dc_demo_fault_parse(&fault, plan);
    if (st == DC_OK && par->process == 0)
        st = refuse_second(plan);
    st = dc_par_agree(st, par);
    if (st == DC_OK)
        st = dc_demo_run(plan, &fault, par);
    if (st != DC_OK)
        return st;
    st = write_graphs(plan, par);
    if (st == DC_OK && par->process == 0)
        st = report(plan, &fault);
    return dc_par_agree(st, par);
}

int main(int argc, char **argv)
{
    static dc_demo_plan plan; /* too large for some stacks */
    arguments a;
    dc_par par;
    dc_status st = dc_par_begin(&par);
    dc_log_setup("dumpcap-demo", par.process, par.processes, DC_LOG_INFO);
    if (st == DC_OK)
        st = parse(&a, argc, argv);
    if (st == DC_OK && (a.help || a.list)) {
        dc_demo_plan_init(&plan, &a.options);
        if (par.process == 0 && a.help)
            fputs(help, stdout);
        else if (par.process == 0)
            dc_demo_fault_list(&plan);
    } else if (st == DC_OK) {
        dc_demo_plan_init(&plan, &a.options);
        st = demo(&plan, &par);
    }
    if (st != DC_OK && par.process == 0)
        dc_error("%s", dc_last_error());
    return dc_par_end(&par, st == DC_OK ? 0 : 2);
}
