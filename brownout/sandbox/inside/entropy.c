/* The session's entropy: compiled behind clock.c into the library that every program of the sandbox loads.
 *
 * What a program draws is ChaCha20 under WORLD_ENTROPY (64 hexadecimal digits, then `:` and the process id that counts as 0),
 * by process and by its command line: a command that is run again in the same state draws the same, two commands and two
 * processes do not. Each opening of /dev/urandom and /dev/random is a stream of its own, read through a pipe that a process
 * of its own fills; where there can be no more processes, it is a file with the stream's beginning: readers that do not
 * expect an end of entropy (git) would read on for ever.
 * Not reached: static programs, raw system calls, the processor's own generator.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#define BLOCK 64
#define KERNEL(...) kernel(__VA_ARGS__, 0L, 0L, 0L, 0L, 0L)

static uint32_t entropy_key[8];
static int keyed; /* 1: there is a key; -1: there is none */
static int zero_pid;
static uint32_t program_hash[2];
static _Atomic uint64_t next_block;
static _Atomic uint32_t streams; /* that were opened; what is drawn without one is stream 0 */
static _Atomic int drawing_pid;

static long kernel(long number, long a, long b, long c, long d, long e, ...) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, c, d, e, 0L);
}

static long slurp(const char *path, char *out, long room) {
    int file = KERNEL(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    long length = KERNEL(SYS_read, file, (long)out, room);
    KERNEL(SYS_close, file);
    return length;
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static int has_key(void) {
    if (keyed) return keyed > 0;
    char kept[128] = {0}, line[4096];
    const char *text = getenv("WORLD_ENTROPY");
    if (!text) text = slurp("/opt/session/entropy", kept, sizeof kept - 1) > 0 ? kept : "";
    int found = 0;
    for (; found < 64 && digit(text[found]) >= 0; found++)
        entropy_key[found / 8] = entropy_key[found / 8] << 4 | digit(text[found]);
    if (found == 64 && text[64] == ':') zero_pid = atoi(text + 65);
    uint64_t hash = 14695981039346656037ULL; /* FNV-1a */
    long length = slurp("/proc/self/cmdline", line, sizeof line);
    for (long at = 0; at < length; at++) hash = (hash ^ (unsigned char)line[at]) * 1099511628211ULL;
    program_hash[0] = hash, program_hash[1] = hash >> 32;
    keyed = found == 64 ? 1 : -1;
    return keyed > 0;
}

static uint32_t turned(uint32_t x, int by) { return x << by | x >> (32 - by); }
#define QUARTER(a, b, c, d)                                                      \
    a += b, d = turned(d ^ a, 16), c += d, b = turned(b ^ c, 12), a += b,        \
    d = turned(d ^ a, 8), c += d, b = turned(b ^ c, 7)

/* RFC 8439, with a counter of 32 bits and a nonce of 96. */
static void block(uint32_t stream, uint64_t number, int pid, unsigned char out[BLOCK]) {
    uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, w[16];
    memcpy(s + 4, entropy_key, sizeof entropy_key);
    s[12] = number, s[13] = pid - zero_pid, s[14] = program_hash[0] ^ stream, s[15] = program_hash[1];
    memcpy(w, s, sizeof w);
    for (int round = 0; round < 10; round++) {
        QUARTER(w[0], w[4], w[8], w[12]); QUARTER(w[1], w[5], w[9], w[13]);
        QUARTER(w[2], w[6], w[10], w[14]); QUARTER(w[3], w[7], w[11], w[15]);
        QUARTER(w[0], w[5], w[10], w[15]); QUARTER(w[1], w[6], w[11], w[12]);
        QUARTER(w[2], w[7], w[8], w[13]); QUARTER(w[3], w[4], w[9], w[14]);
    }
    for (int i = 0; i < 16; i++) w[i] += s[i];
    memcpy(out, w, BLOCK);
}

static void fill(void *out, size_t size, uint32_t stream, uint64_t number, int pid) {
    unsigned char drawn[BLOCK], *to = out;
    for (; size; number++) {
        size_t part = size < BLOCK ? size : BLOCK;
        block(stream, number, pid, drawn);
        memcpy(to, drawn, part);
        to += part, size -= part;
    }
}

/* This process; one that has just been forked begins anew. */
static int drawer(void) {
    int pid = getpid(), known = drawing_pid;
    if (known != pid && atomic_compare_exchange_strong(&drawing_pid, &known, pid)) next_block = 0, streams = 0;
    return pid;
}

static void draw(void *out, size_t size) {
    int pid = drawer();
    fill(out, size, 0, atomic_fetch_add(&next_block, (size + BLOCK - 1) / BLOCK), pid);
}

ssize_t getrandom(void *out, size_t size, unsigned flags) {
    if (!has_key()) return KERNEL(SYS_getrandom, (long)out, size, flags);
    draw(out, size);
    return size;
}
int getentropy(void *out, size_t size) {
    if (size > 256) return errno = EIO, -1;
    return getrandom(out, size, 0) < 0 ? -1 : 0;
}
uint32_t arc4random(void) {
    uint32_t found;
    getrandom(&found, sizeof found, 0);
    return found;
}
void arc4random_buf(void *out, size_t size) { getrandom(out, size, 0); }
uint32_t arc4random_uniform(uint32_t limit) { return limit < 2 ? 0 : (uint64_t)arc4random() * limit >> 32; }

long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long),
         e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_getrandom && has_key()) return getrandom((void *)a, b, c);
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, c, d, e, f);
}

/* Files of entropy. */
enum { ORDINARY, ENDLESS, UUID };

static int kind_of(const char *path, int flags) {
    if (!path || path[0] != '/' || (flags & O_ACCMODE) != O_RDONLY || flags & (O_PATH | O_CREAT)) return ORDINARY;
    int kind = !strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random") ? ENDLESS
               : !strcmp(path, "/proc/sys/kernel/random/uuid")              ? UUID
                                                                            : ORDINARY;
    return kind && has_key() ? kind : ORDINARY;
}

#define PIECE 4096
#define KEPT (1 << 18) /* bytes of a stream without a process */

/* Nobody's signals end it, only the end of its reader. */
static void feed(int out, uint32_t stream, int pid) {
    unsigned char data[PIECE];
    sigset_t every;
    sigfillset(&every);
    sigprocmask(SIG_SETMASK, &every, NULL);
    if (out > 0) KERNEL(SYS_close_range, 0, out - 1, 0);
    KERNEL(SYS_close_range, out + 1, ~0U, 0);
    for (uint64_t number = 0;; number += PIECE / BLOCK) {
        fill(data, sizeof data, stream, number, pid);
        for (long sent = 0, more; sent < (long)sizeof data; sent += more)
            if ((more = KERNEL(SYS_write, out, (long)data + sent, sizeof data - sent)) <= 0) KERNEL(SYS_exit_group, 0);
    }
}

/* Starts what feeds: a child of a child, told to nobody, so that a program that waits for its children hears of none. */
static int is_fed(int out, uint32_t stream, int pid) {
    int status = -1;
    long child = KERNEL(SYS_clone, 0L);
    if (child == 0) {
        long feeder = KERNEL(SYS_clone, 0L);
        if (feeder == 0) feed(out, stream, pid);
        KERNEL(SYS_exit_group, feeder < 0);
    }
    if (child > 0)
        while (KERNEL(SYS_wait4, child, (long)&status, __WCLONE) < 0 && errno == EINTR) {}
    return status == 0;
}

static int kept_file(uint32_t stream, int pid, int flags) {
    unsigned char data[PIECE];
    int how = O_TMPFILE | O_RDWR | (flags & O_CLOEXEC), file = KERNEL(SYS_openat, AT_FDCWD, (long)"/dev/shm", how, 0600L);
    if (file < 0) file = KERNEL(SYS_openat, AT_FDCWD, (long)"/tmp", how, 0600L);
    for (uint64_t number = 0; file >= 0 && number < KEPT / BLOCK; number += PIECE / BLOCK) {
        fill(data, sizeof data, stream, number, pid);
        if (KERNEL(SYS_write, file, (long)data, sizeof data) != sizeof data) return close(file), errno = ENOMEM, -1;
    }
    if (file >= 0) lseek(file, 0, SEEK_SET);
    return file;
}

static int entropy_file(int kind, int flags) {
    int ends[2], pid = drawer();
    if (pipe2(ends, flags & (O_CLOEXEC | O_NONBLOCK))) return -1;
    if (kind == UUID) {
        unsigned char u[16];
        char text[40];
        draw(u, sizeof u);
        u[6] = (u[6] & 0x0f) | 0x40, u[8] = (u[8] & 0x3f) | 0x80;
        int length = 0;
        for (int i = 0; i < 16; i++)
            length += sprintf(text + length, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", u[i]);
        text[length++] = '\n';
        KERNEL(SYS_write, ends[1], (long)text, length);
    } else {
        uint32_t stream = atomic_fetch_add(&streams, 1) + 1;
        fcntl(ends[1], F_SETFL, 0);
        if (!is_fed(ends[1], stream, pid)) {
            close(ends[0]), close(ends[1]);
            return kept_file(stream, pid, flags);
        }
    }
    close(ends[1]);
    return ends[0];
}

#define MODE(flags)                                        \
    mode_t mode = 0;                                       \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { \
        va_list rest;                                      \
        va_start(rest, flags);                             \
        mode = va_arg(rest, mode_t);                       \
        va_end(rest);                                      \
    }
#define OPENED(call, path, flags)            \
    int kind = kind_of(path, flags);         \
    return kind ? entropy_file(kind, flags) : call

int open(const char *path, int flags, ...) { MODE(flags) OPENED(NEXT(open)(path, flags, mode), path, flags); }
int open64(const char *path, int flags, ...) { MODE(flags) OPENED(NEXT(open64)(path, flags, mode), path, flags); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) OPENED(NEXT(openat)(at, path, flags, mode), path, flags); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) OPENED(NEXT(openat64)(at, path, flags, mode), path, flags); }
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int at, const char *path, int flags) { return openat(at, path, flags); }
int __openat64_2(int at, const char *path, int flags) { return openat64(at, path, flags); }

static FILE *stream_of(const char *path, const char *mode) {
    int kind = mode[0] == 'r' && !strchr(mode, '+') ? kind_of(path, O_RDONLY) : ORDINARY;
    int file = kind ? entropy_file(kind, strchr(mode, 'e') ? O_CLOEXEC : 0) : -1;
    return file >= 0 ? fdopen(file, mode) : NULL;
}
FILE *fopen(const char *restrict path, const char *restrict mode) {
    FILE *found = stream_of(path, mode);
    return found ? found : NEXT(fopen)(path, mode);
}
FILE *fopen64(const char *restrict path, const char *restrict mode) {
    FILE *found = stream_of(path, mode);
    return found ? found : NEXT(fopen64)(path, mode);
}

/* Names of temporary files, which the C library draws by itself. */
static int named(char *text, int tail, int flags, int folder) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    long length = strlen(text), at = length - tail - 6;
    if (tail < 0 || at < 0 || strncmp(text + at, "XXXXXX", 6)) return errno = EINVAL, -1;
    for (int turn = 0; turn < 1000; turn++) {
        unsigned char drawn[6];
        getrandom(drawn, sizeof drawn, 0);
        for (int i = 0; i < 6; i++) text[at + i] = letters[drawn[i] % 62];
        int made = folder ? mkdir(text, 0700) : open(text, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}
int mkostemps(char *text, int tail, int flags) { return named(text, tail, flags, 0); }
int mkostemps64(char *text, int tail, int flags) { return named(text, tail, flags, 0); }
int mkostemp(char *text, int flags) { return named(text, 0, flags, 0); }
int mkostemp64(char *text, int flags) { return named(text, 0, flags, 0); }
int mkstemps(char *text, int tail) { return named(text, tail, 0, 0); }
int mkstemps64(char *text, int tail) { return named(text, tail, 0, 0); }
int mkstemp(char *text) { return named(text, 0, 0, 0); }
int mkstemp64(char *text) { return named(text, 0, 0, 0); }
char *mkdtemp(char *text) { return named(text, 0, 0, 1) ? NULL : text; }

/* The machine as /proc shows it (machine.py). */
int sysinfo(struct sysinfo *out) {
    if (!active()) return KERNEL(SYS_sysinfo, (long)out);
    memset(out, 0, sizeof *out);
    out->uptime = 259200, out->totalram = 8192UL << 20, out->freeram = 6144UL << 20, out->procs = 3, out->mem_unit = 1;
    return 0;
}
