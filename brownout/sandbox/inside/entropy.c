/* The session's entropy: compiled behind clock.c into the library that every program of the sandbox loads.
 *
 * What a program draws is ChaCha20 under WORLD_ENTROPY (64 hexadecimal digits, then `:` and the process id that counts as 0),
 * by process and by its command line: a command that is run again in the same state draws the same, two commands and two
 * processes do not. Each opening of /dev/urandom and /dev/random is a stream of its own, read through a pipe. The command
 * server fills all of them, in a thread, so no opening starts a process that would count among the sandbox's or take a
 * number. Where no server is, or it fills as many as it can, the opening is a file with the stream's beginning: readers that
 * do not expect an end of entropy (git) would read on for ever.
 * Not reached: static programs, raw system calls, the processor's own generator.
 */
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/un.h>

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

/* RFC 8439, with a counter of 32 bits, which is 0 here, and a nonce of 96. */
struct start {
    uint32_t words[16];
};
static struct start start_of(uint32_t stream, int pid) {
    struct start s = {{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};
    memcpy(s.words + 4, entropy_key, sizeof entropy_key);
    s.words[13] = pid - zero_pid, s.words[14] = program_hash[0] ^ stream, s.words[15] = program_hash[1];
    return s;
}

static void block(struct start s, uint64_t number, unsigned char out[BLOCK]) {
    uint32_t w[16];
    s.words[12] = number;
    memcpy(w, s.words, sizeof w);
    for (int round = 0; round < 10; round++) {
        QUARTER(w[0], w[4], w[8], w[12]); QUARTER(w[1], w[5], w[9], w[13]);
        QUARTER(w[2], w[6], w[10], w[14]); QUARTER(w[3], w[7], w[11], w[15]);
        QUARTER(w[0], w[5], w[10], w[15]); QUARTER(w[1], w[6], w[11], w[12]);
        QUARTER(w[2], w[7], w[8], w[13]); QUARTER(w[3], w[4], w[9], w[14]);
    }
    for (int i = 0; i < 16; i++) w[i] += s.words[i];
    memcpy(out, w, BLOCK);
}

static void fill(void *out, size_t size, const struct start *start, uint64_t number) {
    unsigned char drawn[BLOCK], *to = out;
    for (; size; number++) {
        size_t part = size < BLOCK ? size : BLOCK;
        block(*start, number, drawn);
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
    struct start own = start_of(0, pid);
    fill(out, size, &own, atomic_fetch_add(&next_block, (size + BLOCK - 1) / BLOCK));
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

#define PIECE 4096 /* bytes: what a pipe takes as a whole or not at all */
#define KEPT (1 << 18) /* bytes of a stream that no server fills */
#define MOST 192 /* streams at once: the server may have 256 descriptors */

/* Where the command server is asked for a stream: a start, with the pipe's end to write to. */
static const struct sockaddr_un server = {AF_UNIX, "\0entropy"};
#define SERVER (const struct sockaddr *)&server, offsetof(struct sockaddr_un, sun_path) + sizeof "\0entropy" - 1

union passed {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};
#define MESSAGE(start, passed)                                  \
    struct iovec body = {start, sizeof *(start)};               \
    struct msghdr message = {.msg_iov = &body, .msg_iovlen = 1, \
                             .msg_control = (passed)->room, .msg_controllen = sizeof (passed)->room}

static struct pollfd pipes[1 + MOST]; /* the socket, then the ends to write to */
static struct {
    struct start start;
    uint64_t number;
} fed[1 + MOST];
static int used = 1;

static void feed(int i) {
    unsigned char data[PIECE];
    fill(data, sizeof data, &fed[i].start, fed[i].number);
    if (KERNEL(SYS_write, pipes[i].fd, (long)data, sizeof data) == sizeof data) fed[i].number += PIECE / BLOCK;
    else if (errno != EAGAIN) pipes[i].revents = POLLERR;
}

static void forget_ended(void) {
    int kept = 1;
    for (int i = 1; i < used; i++)
        if (pipes[i].revents & ~POLLOUT) close(pipes[i].fd);
        else pipes[kept] = pipes[i], fed[kept++] = fed[i];
    used = kept;
}

/* A reader that ended before it asked again has left its place, however busy the machine. */
static int has_place(void) {
    if (used <= MOST) return 1;
    poll(pipes, used, 0);
    forget_ended();
    return used <= MOST;
}

static void take(void) {
    struct start start;
    union passed passed;
    MESSAGE(&start, &passed);
    long length = recvmsg(pipes[0].fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (length < 0 || !head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof(int))) return;
    int file;
    memcpy(&file, CMSG_DATA(head), sizeof file);
    if (length != sizeof start || !has_place() || fcntl(file, F_SETFL, O_NONBLOCK)) return (void)close(file);
    pipes[used] = (struct pollfd){file, POLLOUT}, fed[used].start = start, fed[used].number = 0;
    feed(used++);
}

static void *serve(void *unused) {
    for (;; forget_ended()) {
        if (poll(pipes, used, -1) < 0) continue;
        for (int i = 1; i < used; i++)
            if (pipes[i].revents == POLLOUT) feed(i);
        if (pipes[0].revents) take();
    }
    return unused;
}

/* For the command server: fills streams from now on, in a thread that no signal reaches. 0, or -1 where it cannot. */
int brownout_serve_entropy(void) {
    pthread_t thread;
    pthread_attr_t small;
    sigset_t every, before;
    pipes[0] = (struct pollfd){socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), POLLIN};
    if (bind(pipes[0].fd, SERVER)) return -1;
    sigfillset(&every);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 17);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    int failed = pthread_create(&thread, &small, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? -1 : 0;
}

/* Whether the server has begun to fill the pipe, whose end to write to is closed here. */
static int is_fed(int ends[2], struct start start) {
    int from = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    long sent = from < 0 ? -1 : connect(from, SERVER);
    if (!sent) {
        union passed passed = {{.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
        MESSAGE(&start, &passed);
        memcpy(CMSG_DATA(&passed.head), ends + 1, sizeof(int));
        while ((sent = sendmsg(from, &message, MSG_NOSIGNAL)) < 0 && (errno == EINTR || errno == ETOOMANYREFS)) sched_yield();
    }
    if (from >= 0) close(from);
    close(ends[1]);
    struct pollfd begun = {ends[0], POLLIN};
    while (sent > 0 && KERNEL(SYS_ppoll, (long)&begun, 1L, 0L, 0L) < 0 && errno == EINTR) {}
    return sent > 0 && begun.revents & POLLIN;
}

static int kept_file(struct start start, int flags) {
    unsigned char data[PIECE];
    int how = O_TMPFILE | O_RDWR | (flags & O_CLOEXEC), file = KERNEL(SYS_openat, AT_FDCWD, (long)"/dev/shm", how, 0600L);
    if (file < 0) file = KERNEL(SYS_openat, AT_FDCWD, (long)"/tmp", how, 0600L);
    for (uint64_t number = 0; file >= 0 && number < KEPT / BLOCK; number += PIECE / BLOCK) {
        fill(data, sizeof data, &start, number);
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
        struct start start = start_of(atomic_fetch_add(&streams, 1) + 1, pid);
        if (is_fed(ends, start)) return ends[0];
        close(ends[0]);
        return kept_file(start, flags);
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
