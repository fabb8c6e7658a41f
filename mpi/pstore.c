/* mpi/pstore.c - see pstore.h */
#include "mpi/pstore.h"

#include "io/log.h"
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

static dc_status make_parent(const char *path)
{
    char *dir = strdup(path);
    if (!dir)
        return dc_fail_memory();
    char *slash = strrchr(dir, '/');
    dc_status st = DC_OK;
    if (slash && slash != dir) {
        *slash = '\0';
        st = dc_mkdirs(dir);
    }
    free(dir);
    return st;
}

/* Who holds the .part, as far as it says so. */
static dc_status fail_locked(const char *part)
{
    dc_store *s;
    char *holder = NULL;
    if (dc_store_open(&s, part, false) == DC_OK) {
        holder = dc_store_attribute(s, "holder");
        if (dc_store_close(s) != DC_OK)
            s = NULL;
    }
    dc_status st = dc_fail(DC_ELOCKED, "%s: another capture is writing it (%s)", part,
                           holder && *holder ? holder : "it does not say who");
    free(holder);
    return st;
}

static dc_status lock(int fd, const char *part)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return DC_OK;
    if (errno == EWOULDBLOCK)
        return fail_locked(part);
    dc_warn("%s: this file system has no locks (%s); see to it that no second capture writes the "
            "same store",
            part, strerror(errno));
    return DC_OK;
}

/* Open and lock; a file left over by somebody else is never touched before its lock is ours. */
static dc_status open_part(dc_pstore *p, const dc_pstore_ask *ask)
{
    if (!ask->resume && !ask->force && access(p->path, F_OK) == 0)
        return dc_fail(DC_EEXIST, "%s: is there already; --force replaces it, -o names another",
                       p->path);
    bool left = access(p->part, F_OK) == 0;
    if (ask->resume && !left)
        return dc_fail(DC_ENOENT, "%s: there is no interrupted capture to resume", p->part);
    p->lock = open(p->part, O_RDWR | O_CLOEXEC | (left ? 0 : O_CREAT | O_EXCL), 0666);
    if (p->lock < 0)
        return dc_fail_errno("%s: cannot %s", p->part, left ? "open" : "create");
    dc_status st = lock(p->lock, p->part);
    if (st == DC_OK && left && !ask->resume && !ask->force)
        st = dc_fail(
            DC_EEXIST,
            "%s: is left from an interrupted capture; --resume continues it, --force starts anew",
            p->part);
    return st;
}

dc_status dc_pstore_claim(dc_pstore *out, const dc_pstore_ask *ask, const dc_par *par)
{
    dc_pstore p = {.lock = -1, .fd = -1};
    size_t n = strlen(ask->path) + sizeof ".part";
    p.path = strdup(ask->path);
    p.part = malloc(n);
    dc_status st = p.path && p.part ? DC_OK : dc_fail_memory();
    if (st == DC_OK)
        snprintf(p.part, n, "%s.part", ask->path);
    if (st == DC_OK && par->process == 0) {
        st = make_parent(p.path);
        if (st == DC_OK)
            st = open_part(&p, ask);
    }
    st = dc_par_agree(st, par);
    if (st != DC_OK) {
        dc_pstore_fini(&p, false);
        return st;
    }
    *out = p;
    return DC_OK;
}

static dc_status check_limits(const dc_pstore *p, uint64_t bytes)
{
    struct statvfs fs;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        bytes > limit.rlim_cur)
        return dc_fail(DC_ENOSPACE,
                       "%s: needs %.3f GB, but the file-size limit (ulimit -f) is %.3f GB", p->path,
                       (double)bytes / 1e9, (double)limit.rlim_cur / 1e9);
    if (fstatvfs(p->lock, &fs) != 0)
        return DC_OK; /* cannot tell: go on, writing will */
    uint64_t avail = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (bytes > avail)
        return dc_fail(
            DC_ENOSPACE,
            "%s: needs %.3f GB, but only %.3f GB are free; select less or give -o another disk",
            p->path, (double)bytes / 1e9, (double)avail / 1e9);
    dc_info("writing %.3f GB to %s; %.3f GB are free", (double)bytes / 1e9, p->path,
            (double)avail / 1e9);
    return DC_OK;
}

dc_status dc_pstore_check_space(const dc_pstore *p, uint64_t bytes, const dc_par *par)
{
    return dc_par_agree(par->process == 0 ? check_limits(p, bytes) : DC_OK, par);
}

dc_status dc_pstore_create(dc_store **out, const dc_pstore *p, const dc_store_plan *plan,
                           const dc_par *par)
{
    hid_t fapl = H5P_DEFAULT;
    if (par->launched) {
        fapl = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_mpio(fapl, *(MPI_Comm *)par->comm, MPI_INFO_NULL);
    }
    dc_status st = dc_store_create(out, p->part, plan, fapl);
    if (fapl != H5P_DEFAULT)
        H5Pclose(fapl);
    return dc_par_agree(st, par);
}

dc_status dc_pstore_begin_data(dc_pstore *p, const dc_par *par)
{
    dc_status st = DC_OK;
    p->fd = open(p->part, O_RDWR | O_CLOEXEC);
    if (p->fd < 0)
        st = dc_fail_errno("%s: cannot open", p->part);
    return dc_par_agree(st, par);
}

static dc_status reserve(const dc_pstore *p, const dc_store *s)
{
    for (uint32_t d = 0; d < 256; d++) {
        uint64_t at = dc_store_slab_at(s, d), n = dc_store_slab_size(s, d);
        if (at == UINT64_MAX || n == 0)
            continue;
        if (fallocate(p->fd, 0, (off_t)at, (off_t)n) == 0)
            continue;
        if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
            return DC_OK; /* the file system cannot reserve: writing will tell */
        return dc_fail_errno("%s: cannot reserve space", p->path);
    }
    return DC_OK;
}

dc_status dc_pstore_reserve(const dc_pstore *p, const dc_store *s, const dc_par *par)
{
    return dc_par_agree(par->process == 0 ? reserve(p, s) : DC_OK, par);
}

dc_status dc_pstore_sync(const dc_pstore *p, const dc_par *par)
{
    dc_status st = dc_fault("pstore.sync") ? DC_EIO : DC_OK;
    if (st == DC_OK && fdatasync(p->fd) != 0 && errno != EINVAL)
        st = dc_fail_errno("%s: cannot write to disk", p->part);
    return dc_par_agree(st, par);
}

dc_status dc_pstore_publish(const dc_pstore *p, const dc_par *par)
{
    dc_status st = DC_OK;
    if (par->process == 0 && rename(p->part, p->path) != 0)
        st = dc_fail_errno("%s: cannot rename it to %s", p->part, p->path);
    return dc_par_agree(st, par);
}

void dc_pstore_fini(dc_pstore *p, bool discard)
{
    if (discard && p->lock >= 0)
        unlink(p->part);
    if (p->fd >= 0)
        close(p->fd);
    if (p->lock >= 0)
        close(p->lock);
    free(p->path);
    free(p->part);
    *p = (dc_pstore){.lock = -1, .fd = -1};
}
