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
#include <sys/stat.h>
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

/* Is fd what the path leads to? Its holder may have renamed or removed it before our lock came. */
static bool still_there(int fd, const char *path)
{
    struct stat ours, named;
    return fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev &&
           ours.st_ino == named.st_ino;
}

/* Open or create NAME.part and lock it: *left, it was there. */
static dc_status open_locked(dc_pstore *p, bool *left)
{
    for (int tries = 0; tries < 10; tries++) {
        *left = access(p->part, F_OK) == 0;
        p->lock = open(p->part, O_RDWR | O_CLOEXEC | (*left ? 0 : O_CREAT | O_EXCL), 0666);
        if (p->lock < 0 && errno == (*left ? ENOENT : EEXIST))
            continue; /* another capture came or went meanwhile */
        if (p->lock < 0)
            return dc_fail_errno("%s: cannot %s", p->part, *left ? "open" : "create");
        p->ours = !*left;
        dc_status st = lock(p->lock, p->part);
        if (st != DC_OK || still_there(p->lock, p->part))
            return st;
        close(p->lock);
        p->lock = -1;
        p->ours = false;
    }
    return dc_fail(DC_ELOCKED, "%s: other captures create and remove it all the time", p->part);
}

/* A file left over by somebody else is never touched before its lock is ours. */
static dc_status open_part(dc_pstore *p, const dc_pstore_ask *ask)
{
    bool left = false;
    if (ask->resume && access(p->part, F_OK) != 0)
        return dc_fail(DC_ENOENT, "%s: there is no interrupted capture to resume", p->part);
    dc_status st = open_locked(p, &left);
    if (st == DC_OK && ask->resume && !left)
        st = dc_fail(DC_ENOENT, "%s: there is no interrupted capture to resume", p->part);
    else if (st == DC_OK && !ask->resume && !ask->force && access(p->path, F_OK) == 0)
        st = dc_fail(DC_EEXIST, "%s: is there already; --force replaces it, -o names another",
                     p->path);
    else if (st == DC_OK && left && !ask->resume && !ask->force)
        st = dc_fail(
            DC_EEXIST,
            "%s: is left from an interrupted capture; --resume continues it, --force starts anew",
            p->part);
    p->replace = left && ask->force && !ask->resume;
    return st;
}

/* What can be said of NAME before anything is made. */
static dc_status check_name(const char *path)
{
    const char *base = dc_path_base(path);
    if (!*base || dc_path_is_dir(path))
        return dc_fail(DC_EARG, "%s: is not the name of a file; give -o the store's", path);
    return DC_OK;
}

dc_status dc_pstore_claim(dc_pstore *out, const dc_pstore_ask *ask, const dc_par *par)
{
    dc_pstore p = {.lock = -1, .fd = -1};
    size_t n = strlen(ask->path) + sizeof ".part";
    p.path = strdup(ask->path);
    p.part = malloc(n);
    dc_status st = p.path && p.part ? DC_OK : dc_fail_memory();
    if (st == DC_OK && dc_fault("pstore.claim"))
        st = dc_fail(DC_EIO, "%s: cannot claim it (injected)", ask->path);
    if (st == DC_OK)
        snprintf(p.part, n, "%s.part", ask->path);
    if (st == DC_OK && par->process == 0) {
        st = check_name(p.path);
        if (st == DC_OK)
            st = make_parent(p.path);
        if (st == DC_OK)
            st = open_part(&p, ask);
    }
    st = dc_par_agree(st, par);
    if (st != DC_OK) {
        dc_pstore_fini(&p, true);
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
        return DC_OK;      /* cannot tell: go on, writing will */
    struct stat old = {0}; /* --force frees what is left of another capture */
    uint64_t avail = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (p->replace && fstat(p->lock, &old) == 0)
        avail += (uint64_t)old.st_blocks * 512;
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

/* A new file in place of one that another capture left, which may still be held open somewhere. */
static dc_status replace_left(dc_pstore *p)
{
    bool left = false;
    int old = p->lock;
    if (unlink(p->part) != 0)
        return dc_fail_errno("%s: cannot remove", p->part);
    p->lock = -1;
    p->replace = false;
    dc_status st = open_locked(p, &left);
    close(old);
    if (st == DC_OK && left)
        st = dc_fail(DC_EEXIST, "%s: another capture has just made it", p->part);
    return st;
}

static dc_status reserve(const dc_pstore *p, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return dc_fail_errno("%s: cannot stat", p->part);
    int bad = info.st_size ? fallocate(fd, 0, 0, info.st_size) : 0;
    if (dc_fault("pstore.reserve"))
        bad = -1, errno = ENOSPC;
    if (bad == 0 || (errno != ENOSPC && errno != EDQUOT && errno != EFBIG))
        return DC_OK; /* the file system cannot reserve: writing will tell */
    return dc_fail_errno("%s: cannot reserve space", p->part);
}

/* Process 0: the structure, alone, and its disk space, before anything relies on either. */
static dc_status make_structure(dc_pstore *p, const dc_store_plan *plan)
{
    dc_status st = p->replace ? replace_left(p) : DC_OK;
    if (st == DC_OK)
        st = dc_store_create(p->part, plan);
    return st == DC_OK ? reserve(p, p->lock) : st;
}

dc_status dc_pstore_create(dc_store **out, dc_pstore *p, const dc_store_plan *plan,
                           const dc_par *par)
{
    *out = NULL;
    dc_status st = dc_par_agree(par->process == 0 ? make_structure(p, plan) : DC_OK, par);
    if (st == DC_OK) /* each can open the file: then opening it together does not fail on some */
        st = dc_pstore_begin_data(p, par);
    if (st != DC_OK)
        return st;
    hid_t fapl = H5P_DEFAULT;
    if (par->launched) {
        fapl = dc_store_access();
        H5Pset_fapl_mpio(fapl, *(MPI_Comm *)par->comm, MPI_INFO_NULL);
    }
    st = dc_par_agree(dc_store_open_empty(out, p->part, fapl), par);
    if (par->launched)
        H5Pclose(fapl);
    return st;
}

dc_status dc_pstore_begin_data(dc_pstore *p, const dc_par *par)
{
    dc_status st = DC_OK;
    if (p->fd < 0)
        p->fd = open(p->part, O_RDWR | O_CLOEXEC);
    if (dc_fault("pstore.open"))
        st = dc_fail(DC_EIO, "%s: cannot open (injected)", p->part);
    else if (p->fd < 0)
        st = dc_fail_errno("%s: cannot open", p->part);
    return dc_par_agree(st, par);
}

dc_status dc_pstore_reserve(const dc_pstore *p, const dc_par *par)
{
    return dc_par_agree(par->process == 0 ? reserve(p, p->fd) : DC_OK, par);
}

dc_status dc_pstore_sync(const dc_pstore *p)
{
    if (dc_fault("pstore.sync"))
        return dc_fail(DC_EIO, "%s: cannot write to disk (injected)", p->part);
    if (fdatasync(p->fd) != 0 && errno != EINVAL)
        return dc_fail_errno("%s: cannot write to disk", p->part);
    return DC_OK;
}

static dc_status publish(const dc_pstore *p)
{
    dc_status st = dc_pstore_sync(p);
    if (st != DC_OK)
        return st;
    if (dc_fault("pstore.publish"))
        return dc_fail(DC_EIO, "%s: cannot rename it (injected)", p->part);
    return rename(p->part, p->path) == 0
               ? DC_OK
               : dc_fail_errno("%s: cannot rename it to %s", p->part, p->path);
}

dc_status dc_pstore_publish(const dc_pstore *p, const dc_par *par)
{
    return dc_par_agree(par->process == 0 ? publish(p) : DC_OK, par);
}

void dc_pstore_fini(dc_pstore *p, bool discard)
{
    if (discard && p->ours && p->lock >= 0)
        unlink(p->part);
    if (p->fd >= 0)
        close(p->fd);
    if (p->lock >= 0)
        close(p->lock);
    free(p->path);
    free(p->part);
    *p = (dc_pstore){.lock = -1, .fd = -1};
}
