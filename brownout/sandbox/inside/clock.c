/* World time for programs in the sandbox: preloaded, so that `date`, git and Python see the session's day.
 *
 * The wall clock is WORLD_TIME (epoch seconds, a fraction is allowed) plus a tenth of a second, plus what this
 * process has slept, plus a microsecond a read: the same program reads the same times, however busy the machine.
 * Files dated by the kernel since the sandbox started are shown as written in that first tenth, in their order:
 * `make` and `find -newer` work, nothing lies in the future. The monotonic clock stays real. Deadlines given in
 * world time are shifted to real time before the kernel sees them.
 * Not reached: static programs and raw system calls (node's file dates, Go).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define LEAD (SECOND / 10) /* files of this run are dated before its first reading of the clock */
#define EARLIEST_DATE (500000000LL * SECOND) /* 1985; a smaller deadline counts from the machine's start */
#define NEXT(name) ((__typeof__(&name))next(#name))

static int64_t start;
static int told; /* 0: no world time, everything passes through */
static _Atomic int64_t slept, reads;
static _Atomic int ready;
static _Thread_local int64_t last_monotonic;

/* Condition variables have an older symbol version, which a plain dlsym may find first. */
static void *next(const char *name) {
    void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return found ? found : dlsym(RTLD_NEXT, name);
}

static int (*real_gettime)(clockid_t, struct timespec *);

static int64_t parse(const char *text) {
    char *rest;
    int64_t value = strtoll(text, &rest, 10) * SECOND, unit = SECOND / 10;
    if (*rest == '.')
        for (rest++; *rest >= '0' && *rest <= '9' && unit; rest++, unit /= 10) value += (*rest - '0') * unit;
    return value;
}

__attribute__((constructor)) static void prepare(void) {
    if (ready) return;
    real_gettime = (int (*)(clockid_t, struct timespec *))next("clock_gettime");
    const char *text = getenv("WORLD_TIME");
    char kept[64] = {0};
    if (!text) { /* the environment was cleared: the time at which the sandbox started */
        int file = open("/opt/session/epoch", O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            if (read(file, kept, sizeof kept - 1) > 0) text = kept;
            close(file);
        }
    }
    told = text && *text >= '0' && *text <= '9'; /* "off": our own programs */
    start = told ? parse(text) : 0;
    ready = 1;
}

static int64_t value(const struct timespec *t) { return t->tv_sec * SECOND + t->tv_nsec; }
static struct timespec spec(int64_t ns) { return (struct timespec){ns / SECOND, ns % SECOND}; }
static int64_t real(clockid_t clock) {
    struct timespec t;
    real_gettime(clock, &t);
    return value(&t);
}
static int64_t peek(void) { return start + LEAD + slept + reads * 1000; }
static int64_t tell(void) { return start + LEAD + slept + atomic_fetch_add(&reads, 1) * 1000; }
static int active(void) {
    if (!ready) prepare();
    return told;
}
static int wall(clockid_t c) {
    return c == CLOCK_REALTIME || c == CLOCK_REALTIME_COARSE || c == CLOCK_REALTIME_ALARM || c == CLOCK_TAI;
}

/* Threads that sleep side by side move the clock once: the furthest of them counts. */
static void move(int64_t from, int64_t by) {
    int64_t seen = slept, target = from + (by > 0 ? by : 0);
    while (seen < target && !atomic_compare_exchange_weak(&slept, &seen, target)) {}
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (active() && wall(clock)) {
        *out = spec(tell());
        return 0;
    }
    int result = real_gettime(clock, out);
    if (!result && clock == CLOCK_MONOTONIC) last_monotonic = value(out);
    return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    int64_t now = active() ? tell() : real(CLOCK_REALTIME);
    *out = (struct timeval){now / SECOND, now % SECOND / 1000};
    return 0;
}

time_t time(time_t *out) {
    time_t now = (active() ? tell() : real(CLOCK_REALTIME)) / SECOND;
    if (out) *out = now;
    return now;
}

int timespec_get(struct timespec *out, int base) {
    if (base != TIME_UTC) return 0;
    *out = spec(active() ? tell() : real(CLOCK_REALTIME));
    return base;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *want, struct timespec *left) {
    int64_t from = slept, by = value(want);
    int absolute = flags & TIMER_ABSTIME;
    struct timespec relative;
    if (absolute && active() && wall(clock)) {
        by -= peek();
        relative = spec(by > 0 ? by : 0);
        want = &relative, clock = CLOCK_MONOTONIC, flags = 0;
    } else if (absolute) {
        by -= clock == CLOCK_MONOTONIC && last_monotonic ? last_monotonic : (active(), real(clock));
    }
    int result = NEXT(clock_nanosleep)(clock, flags, want, left);
    if (!result) move(from, by);
    else if (result == EINTR && left && !absolute) move(from, by - value(left));
    return result;
}

int nanosleep(const struct timespec *want, struct timespec *left) {
    struct timespec rest = {0, 0};
    int result = clock_nanosleep(CLOCK_MONOTONIC, 0, want, &rest);
    if (!result) return 0;
    if (left) *left = rest;
    errno = result;
    return -1;
}

int usleep(useconds_t micros) {
    struct timespec want = spec(micros * 1000LL);
    return nanosleep(&want, NULL);
}

unsigned sleep(unsigned seconds) {
    struct timespec want = {seconds, 0}, left = {0, 0};
    return nanosleep(&want, &left) ? left.tv_sec + (left.tv_nsec >= SECOND / 2) : 0;
}

/* Waiting for nothing until a timeout is a sleep too; else a loop that polls until a wall time never ends. */
#define WAITED(call, timeout)                                  \
    int64_t from = slept, span = (timeout);                    \
    int result = call;                                         \
    if (result == 0 && span > 0) move(from, span);             \
    return result

int poll(struct pollfd *files, nfds_t count, int ms) {
    WAITED(NEXT(poll)(files, count, ms), ms * (SECOND / 1000));
}
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
    WAITED(NEXT(ppoll)(files, count, limit, mask), limit ? value(limit) : 0);
}
int select(int count, fd_set *restrict r, fd_set *restrict w, fd_set *restrict x, struct timeval *restrict limit) {
    WAITED(NEXT(select)(count, r, w, x, limit), limit ? limit->tv_sec * SECOND + limit->tv_usec * 1000 : 0);
}
int pselect(int count, fd_set *restrict r, fd_set *restrict w, fd_set *restrict x,
            const struct timespec *restrict limit, const sigset_t *restrict mask) {
    WAITED(NEXT(pselect)(count, r, w, x, limit, mask), limit ? value(limit) : 0);
}
int epoll_wait(int epoll, struct epoll_event *events, int count, int ms) {
    WAITED(NEXT(epoll_wait)(epoll, events, count, ms), ms * (SECOND / 1000));
}
int epoll_pwait(int epoll, struct epoll_event *events, int count, int ms, const sigset_t *mask) {
    WAITED(NEXT(epoll_pwait)(epoll, events, count, ms, mask), ms * (SECOND / 1000));
}

/* File dates. The programs of the sandbox were written a moment before its first command: what the kernel dated
 * later than that is this session's. An older change date is told as the modification date, as the supervisor
 * moves the latter to world time after each command, which is itself a change. */
static int64_t since(void) {
    static _Atomic int64_t known;
    struct stat found;
    if (!known) known = syscall(SYS_newfstatat, AT_FDCWD, "/opt/session/epoch", &found, 0) ? -1 : value(&found.st_mtim) - SECOND;
    return known;
}
static int of_session(int64_t at, int64_t from) { return from > 0 && at >= from && at <= real(CLOCK_REALTIME); }
static int64_t dated(int64_t at, int64_t from) {
    int64_t after = (at - from) / 1000000;
    return start + (after < LEAD ? after : LEAD - 1);
}

static int shown(int result, struct stat *s) {
    int64_t from;
    if (result || !active() || (from = since()) <= 0) return result;
    int written = of_session(value(&s->st_mtim), from);
    if (of_session(value(&s->st_ctim), from)) s->st_ctim = written ? spec(dated(value(&s->st_ctim), from)) : s->st_mtim;
    if (of_session(value(&s->st_atim), from)) s->st_atim = spec(dated(value(&s->st_atim), from));
    if (written) s->st_mtim = spec(dated(value(&s->st_mtim), from));
    return result;
}
static int look(int folder, const char *path, struct stat *out, int flags) {
    return shown(syscall(SYS_newfstatat, folder, path, out, flags), out);
}

int stat(const char *restrict path, struct stat *restrict out) { return look(AT_FDCWD, path, out, 0); }
int lstat(const char *restrict path, struct stat *restrict out) { return look(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
int fstat(int file, struct stat *out) { return shown(syscall(SYS_fstat, file, out), out); }
int fstatat(int folder, const char *restrict path, struct stat *restrict out, int flags) {
    return look(folder, path, out, flags);
}
/* The same under their 64-bit names, and as programs linked before glibc 2.33 call them. */
int stat64(const char *restrict path, struct stat64 *restrict out) { return look(AT_FDCWD, path, (struct stat *)out, 0); }
int lstat64(const char *restrict path, struct stat64 *restrict out) {
    return look(AT_FDCWD, path, (struct stat *)out, AT_SYMLINK_NOFOLLOW);
}
int fstat64(int file, struct stat64 *out) { return fstat(file, (struct stat *)out); }
int fstatat64(int folder, const char *restrict path, struct stat64 *restrict out, int flags) {
    return look(folder, path, (struct stat *)out, flags);
}
int __xstat(int v, const char *path, struct stat *out) { return (void)v, look(AT_FDCWD, path, out, 0); }
int __lxstat(int v, const char *path, struct stat *out) { return (void)v, look(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
int __fxstat(int v, int file, struct stat *out) { return (void)v, fstat(file, out); }
int __fxstatat(int v, int folder, const char *path, struct stat *out, int flags) {
    return (void)v, look(folder, path, out, flags);
}
int __xstat64(int v, const char *path, struct stat64 *out) { return (void)v, stat64(path, out); }
int __lxstat64(int v, const char *path, struct stat64 *out) { return (void)v, lstat64(path, out); }
int __fxstat64(int v, int file, struct stat64 *out) { return (void)v, fstat64(file, out); }
int __fxstatat64(int v, int folder, const char *path, struct stat64 *out, int flags) {
    return (void)v, fstatat64(folder, path, out, flags);
}

static int64_t when(const struct statx_timestamp *t) { return t->tv_sec * SECOND + t->tv_nsec; }
static void set(struct statx_timestamp *t, int64_t ns) { t->tv_sec = ns / SECOND, t->tv_nsec = ns % SECOND; }

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict out) {
    int result = syscall(SYS_statx, folder, path, flags, mask, out);
    int64_t from;
    if (result || !active() || (from = since()) <= 0) return result;
    int written = of_session(when(&out->stx_mtime), from);
    if (of_session(when(&out->stx_ctime), from))
        set(&out->stx_ctime, written ? dated(when(&out->stx_ctime), from) : when(&out->stx_mtime));
    if (of_session(when(&out->stx_btime), from))
        set(&out->stx_btime, written ? dated(when(&out->stx_btime), from) : when(&out->stx_mtime));
    if (of_session(when(&out->stx_atime), from)) set(&out->stx_atime, dated(when(&out->stx_atime), from));
    if (written) set(&out->stx_mtime, dated(when(&out->stx_mtime), from));
    return result;
}

/* A deadline on the clock the kernel will use, and how long it lies ahead. */
static struct timespec shifted(const struct timespec *until, int64_t *ahead) {
    int64_t at = value(until);
    if (!active() || at < EARLIEST_DATE) {
        *ahead = at - (last_monotonic ? last_monotonic : (active(), real(CLOCK_MONOTONIC)));
        return *until;
    }
    *ahead = at - peek();
    return spec(real(CLOCK_REALTIME) + *ahead);
}

#define TIMED(call, expired)                           \
    int64_t ahead, from = slept;                       \
    struct timespec moved = shifted(until, &ahead);    \
    int result = call;                                 \
    if (expired) move(from, ahead);                    \
    return result

int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until) {
    TIMED(NEXT(sem_timedwait)(s, &moved), result && errno == ETIMEDOUT);
}
int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict until) {
    TIMED(NEXT(sem_clockwait)(s, clock, &moved), result && errno == ETIMEDOUT);
}
int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           const struct timespec *restrict until) {
    TIMED(NEXT(pthread_cond_timedwait)(c, m, &moved), result == ETIMEDOUT);
}
int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
                           const struct timespec *restrict until) {
    TIMED(NEXT(pthread_cond_clockwait)(c, m, clock, &moved), result == ETIMEDOUT);
}
int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until) {
    TIMED(NEXT(pthread_mutex_timedlock)(m, &moved), result == ETIMEDOUT);
}
