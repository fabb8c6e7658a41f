/* capture/options.c - see options.h */
#include "capture/options.h"

#include "io/near.h"
#include "io/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AT(field)     offsetof(dc_capture_options, field)
#define SIZE_LIMIT    ((uint64_t)1 << 30)
#define ONLY_CAPTURE  1u
#define ONLY(command) (2u << (command))
#define ONLY_WRITING  (ONLY_CAPTURE | ONLY(DC_CMD_MERGE))

static const dc_opt option[] = {
    {.kind = DC_OPT_GROUP, .name = "What to capture"},
    {DC_OPT_STRING, 'c', "config", "FILE",
     "acl.json that selects models, layers, steps, modes; default ./acl.json if it is there",
     AT(config), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "op", "PATTERN",
     "operators by name: GLOB or re:REGEX; repeat for several. What names no dumped operator is "
     "looked for among the original operators' names",
     AT(op), NULL, NULL, 0},
    {DC_OPT_LIST, 0, "type", "PATTERN", "operators by type", AT(type), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "exclude", "PATTERN", "leave operators out, whatever else selects them",
     AT(exclude), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "exclude-type", "PATTERN", "the same by type", AT(exclude_type), NULL, NULL,
     ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "model", "NAME", "models, in place of the file's", AT(model), NULL, NULL,
     ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "step", "STEPS", "steps, in place of the file's: 0|3-5|10", AT(step), NULL,
     NULL, 0},
    {DC_OPT_CHOICE, 0, "mode", NULL, "tensors of operators, in place of the file's", AT(mode),
     "file|input|output|all", NULL, ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "rank", "RANKS", "ranks: 0,4-7", AT(rank), NULL, NULL, 0},
    {DC_OPT_LIST, 0, "set", "KEY=VALUE",
     "an option of the TensorFlow adapter: dump_path, dump_step, dump_layer...", AT(set), NULL,
     NULL, ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "graph", "PATH",
     "*_Build.txt, or a directory of them: original names, order of ranges, blacklisted slots",
     AT(graph), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_FLAG, 0, "blacklist-applied", NULL,
     "the dump was made with the file's blacklists: leave nothing out again", AT(blacklist_applied),
     NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_FLAG, 0, "strict", NULL,
     "mend nothing in the configuration; accept only what every reader of it accepts", AT(strict),
     NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_FLAG, 0, "stats-only", NULL,
     "keep only statistics and hashes of the tensors, not their bytes", AT(stats_only), NULL, NULL,
     ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "check-config", "FILE",
     "say what CANN would make of this acl.json, and stop (0: accepted, 2: refused)",
     AT(check_config), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_FLAG, 0, "print-config", NULL,
     "print configuration and options together as one acl.json, and stop", AT(print_config), NULL,
     NULL, ONLY_CAPTURE},
    {.kind = DC_OPT_GROUP, .name = "Who is who"},
    {DC_OPT_STRING, 0, "rank-table", "FILE", "HCCL's rank table: ranks by server and device",
     AT(rank_table), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "server", "ID",
     "the table's server that dumped: its server_id, or #0, #1...", AT(server), NULL, NULL,
     ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "server-of", "ROOT=ID", "the same for one of several ROOTs", AT(server_of),
     NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_LIST, 0, "rank-of", "ROOT=OFFSET",
     "rank = OFFSET + device for what lies under ROOT (one ROOT per server)", AT(rank_of), NULL,
     NULL, ONLY_CAPTURE},
    {DC_OPT_U64, 0, "run-window", "SECONDS",
     "time-stamp directories this close may belong to one run; default 600", AT(run_window), NULL,
     NULL, ONLY_CAPTURE},
    {DC_OPT_STRING, 0, "original-path", "PATH",
     "the dump_path when the dump was made: hashed file names are checked against it",
     AT(original_path), NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_FLAG, 0, "mixed", NULL,
     "store what looks like two servers' files of one rank all the same", AT(mixed), NULL, NULL,
     ONLY_CAPTURE},
    {.kind = DC_OPT_GROUP, .name = "Where it goes"},
    {DC_OPT_STRING, 'o', "output", "STORE",
     "the store to write, default dump.h5; export: the directory", AT(output), NULL, NULL,
     ONLY_WRITING | ONLY(DC_CMD_EXPORT)},
    {DC_OPT_FLAG, 0, "resume", NULL, "continue an interrupted capture or merge (STORE.part)",
     AT(resume), NULL, NULL, ONLY_WRITING},
    {DC_OPT_FLAG, 0, "force", NULL, "replace an existing store, drop a half-written one", AT(force),
     NULL, NULL, ONLY_WRITING | ONLY(DC_CMD_EXPORT)},
    {DC_OPT_FLAG, 0, "verify", NULL, "read everything back and check it at the end", AT(verify),
     NULL, NULL, ONLY_WRITING},
    {DC_OPT_FLAG, 0, "no-views", NULL, "do not make the /tensors tree (made up to 20000 tensors)",
     AT(no_views), NULL, NULL, ONLY_WRITING},
    {DC_OPT_FLAG, 0, "dry-run", NULL, "say what would be captured, write nothing", AT(dry_run),
     NULL, NULL, ONLY_CAPTURE},
    {DC_OPT_SIZE, 0, "align", "BYTES", "where a group of tensors starts; default 4K", AT(align),
     NULL, NULL, ONLY_WRITING},
    {DC_OPT_SIZE, 0, "piece", "BYTES", "size of one large read and write; default 240K", AT(piece),
     NULL, NULL, ONLY_WRITING},
    {.kind = DC_OPT_GROUP, .name = "Looking (ls)"},
    {DC_OPT_FLAG, 'l', "long", NULL, "with statistics, hash and source", AT(long_list), NULL, NULL,
     ONLY(DC_CMD_LS)},
    {DC_OPT_FLAG, 0, "overflow", NULL, "list the overflows that the device detected, and where",
     AT(overflow), NULL, NULL, ONLY(DC_CMD_LS)},
    {DC_OPT_FLAG, 0, "skipped", NULL, "list the files that gave no tensors, and why", AT(skipped),
     NULL, NULL, ONLY(DC_CMD_LS)},
    {.kind = DC_OPT_GROUP, .name = "Taking out (export)"},
    {DC_OPT_CHOICE, 0, "as", NULL,
     "npy: a file per tensor; npz: an archive per dump file; raw: the bytes; csv: statistics",
     AT(as), "npy|npz|raw|csv", NULL, ONLY(DC_CMD_EXPORT)},
    {DC_OPT_STRING, 0, "layout", "FORMAT",
     "without the device's padding: ND in the original order, NCHW, NHWC... in that one",
     AT(layout), NULL, NULL, ONLY(DC_CMD_EXPORT)},
    {.kind = DC_OPT_GROUP, .name = "Other"},
    {DC_OPT_CHOICE, 0, "progress", NULL, "progress on stderr", AT(progress), "auto|off|on", NULL,
     0},
    {DC_OPT_FLAG, 'q', "quiet", NULL, "only warnings and errors on stderr", AT(quiet), NULL, NULL,
     0},
    {DC_OPT_FLAG, 'v', "verbose", NULL, "more on stderr", AT(verbose), NULL, NULL, 0},
    {DC_OPT_STOP, 'h', "help", NULL, "this text", AT(help), NULL, NULL, 0},
    {DC_OPT_STOP, 0, "version", NULL, "versions of dumpcap, MPI and HDF5", AT(version), NULL, NULL,
     0},
    {.kind = DC_OPT_GROUP, .name = "Examples"},
    {.kind = DC_OPT_TEXT,
     .help =
         "mpirun -q -np 8 dumpcap -c acl.json -o run.h5 /data/output   all that acl.json selects\n"
         "dumpcap --op 'conv1/*' --step 0 -o conv1.h5 /data/output      one process, a few "
         "operators\n"
         "mpirun -q -np 8 dumpcap --resume -o run.h5                    go on after an "
         "interruption\n"
         "dumpcap ls run.h5 'rank0/*/step0/conv1/*'                     what is inside\n"
         "h5dump -d /tensors/rank0/... run.h5                           any HDF5 tool reads the "
         "views"},
    {.kind = DC_OPT_GROUP, .name = "Exit codes"},
    {.kind = DC_OPT_TEXT,
     .help = "0  everything selected is stored\n"
             "1  stored, but some files were skipped (verify: some tensors differ)\n"
             "2  nothing stored, interrupted, or the command failed"},
};

static const dc_opt_command command[] = {
    [DC_CMD_LS] = {"ls", "STORE [GLOB]", "list the tensors of a store"},
    [DC_CMD_SHOW] = {"show", "STORE|FILE [TENSOR]",
                     "look at one tensor of a store or file: values, corners, histogram"},
    [DC_CMD_EXPORT] = {"export", "STORE|FILE [GLOB] -o DIR",
                       "write tensors as NumPy or raw files, statistics as csv"},
    [DC_CMD_MERGE] = {"merge", "STORE... -o STORE", "make one store of several of one run"},
    [DC_CMD_VERIFY] = {"verify", "STORE", "read a store back and compare with its hashes"},
    [DC_CMD_VIEWS] = {"views", "STORE [GLOB]", "make the browsable /tensors tree, or part of it"},
};

static const dc_opt_table table = {
    .program = "dumpcap",
    .usage = "[OPTION...] [ROOT...]\nCOMMAND [OPTION...] STORE",
    .summary =
        "Gather the operators' dumped tensors of all ranks into one HDF5 store. ROOT is a "
        "dump_path, or any directory "
        "in one, or a template with {rank}, {device}, {time} for names of directories; default: "
        "the configuration's dump_path.",
    .opt = option,
    .nopt = sizeof option / sizeof *option,
    .command = command,
    .ncommand = sizeof command / sizeof *command,
};

dc_status dc_capture_options_parse(dc_capture_options *o, int argc, char **argv)
{
    *o = (dc_capture_options){0};
    dc_status st = dc_opt_parse(&o->rest, o, &table, argc, argv);
    if (!o->output && o->rest.command == DC_CMD_CAPTURE)
        o->output = "dump.h5";
    return st;
}

/* A first argument that is nothing in this directory, but nearly a command. */
static dc_status check_command(const dc_capture_options *o)
{
    const char *first = o->rest.n ? o->rest.argument[0] : "";
    dc_near near = {0};
    char hint[DC_NEAR_TEXT];
    if (o->rest.command != DC_CMD_CAPTURE || !*first || strpbrk(first, "/{:") ||
        access(first, F_OK) == 0)
        return DC_OK;
    for (size_t i = 0; i < table.ncommand; i++)
        if (command[i].name)
            dc_near_offer(&near, first, command[i].name);
    dc_near_print(hint, &near);
    return near.n ? dc_fail(DC_EARG, "%s: no such directory, and no command%s", first, hint)
                  : DC_OK;
}

dc_status dc_capture_options_check(const dc_capture_options *o)
{
    dc_status st = check_command(o);
    if (st != DC_OK)
        return st;
    if (o->align && (o->align < DC_STORE_ALIGN_TENSOR || o->align > SIZE_LIMIT ||
                     (o->align & (o->align - 1)) != 0))
        return dc_fail(DC_EARG, "--align: give a power of two from %d to 1G",
                       DC_STORE_ALIGN_TENSOR);
    if (o->rest.command == DC_CMD_MERGE && (o->rest.n == 0 || !o->output))
        return dc_fail(DC_EARG, "give the stores to merge and the new one: dumpcap merge A.h5 B.h5 "
                                "-o ALL.h5");
    if (o->piece > SIZE_LIMIT)
        return dc_fail(DC_EARG, "--piece: 1G is the most");
    if (o->resume && o->original_path)
        return dc_fail(DC_EARG,
                       "--original-path with --resume: names were checked, or not, when the "
                       "capture was begun; leave it out, or begin anew with --force");
    return DC_OK;
}

void dc_capture_options_fini(dc_capture_options *o)
{
    dc_opt_list *const list[] = {&o->op,    &o->type,    &o->exclude,   &o->exclude_type,
                                 &o->model, &o->rank_of, &o->server_of, &o->set};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        dc_opt_list_fini(list[i]);
}

dc_status dc_capture_options_help(void)
{
    dc_buf text = {0};
    dc_status st = dc_opt_help(&text, &table);
    if (st == DC_OK)
        fwrite(text.data, 1, text.n, stdout);
    dc_buf_free(&text);
    return st;
}
