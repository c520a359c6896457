/* The state of the process, which a library must not change: it is compared before and after each call if a test requests it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "harness.h"

extern char **environ;

enum property { FOLDER, LOCALE, ENVIRONMENT, SIGNALS, FLOATS, FILES, THREADS, OUTPUT, MASK, PROPERTIES };
static const char *const names[PROPERTIES] = {
    "folder", "locale", "environment", "signals", "floats", "files", "threads", "output", "mask"};

static int watching;
static uint64_t seen[PROPERTIES];
static long changes[PROPERTIES], looks;

static uint64_t mix(uint64_t hash, const void *bytes, size_t n) {
    for (const unsigned char *p = bytes; n--; ++p) hash = (hash ^ *p) * 1099511628211u;
    return hash;
}

static uint64_t entries(const char *folder) {
    uint64_t count = 0;
    DIR *all = opendir(folder);
    while (all && readdir(all)) ++count;
    if (all) closedir(all);
    return count;
}

/* The control words, without the flags of raised exceptions, which any code may set. */
static uint64_t floats(void) {
#if defined(__x86_64__)
    fenv_t environment;
    fegetenv(&environment);
    uint64_t control = environment.__control_word;
    fesetenv(&environment);
    return control << 32 | (_mm_getcsr() & ~0x3fu);
#else
    return (uint64_t)fegetround();
#endif
}

static void look(uint64_t now[PROPERTIES]) {
    char folder[4096] = "";
    if (getcwd(folder, sizeof folder)) now[FOLDER] = mix(1, folder, strlen(folder));
    const char *locale = setlocale(LC_ALL, NULL);
    now[LOCALE] = mix(1, locale, strlen(locale));
    now[ENVIRONMENT] = 1;
    for (char **variable = environ; *variable; ++variable)
        now[ENVIRONMENT] = mix(now[ENVIRONMENT], *variable, strlen(*variable));
    now[SIGNALS] = 1;
    for (int number = 1; number < 32; ++number) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        sigaction(number, NULL, &action);
        now[SIGNALS] = mix(now[SIGNALS], &action.sa_handler, sizeof action.sa_handler);
        now[SIGNALS] = mix(now[SIGNALS], &action.sa_flags, sizeof action.sa_flags);
    }
    sigset_t blocked;
    sigemptyset(&blocked);
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int number = 1; number < 32; ++number)
        now[SIGNALS] = 2 * now[SIGNALS] + (uint64_t)sigismember(&blocked, number);
    now[FLOATS] = floats();
    now[FILES] = entries("/proc/self/fd");
    now[THREADS] = entries("/proc/self/task");
    struct stat information;
    fstat(1, &information);
    now[OUTPUT] = mix((uint64_t)information.st_size, stdout, sizeof *stdout);
    now[MASK] = umask(022);
    umask((mode_t)now[MASK]);
}

void before(void) {
    if (watching) look(seen);
}

void after(void) {
    if (!watching) return;
    uint64_t now[PROPERTIES];
    look(now);
    ++looks;
    for (int i = 0; i < PROPERTIES; ++i) changes[i] += now[i] != seen[i];
}

void watch(int on) {
    watching = on;
    looks = 0;
    memset(changes, 0, sizeof changes);
}

/* Prints the number of compared calls, then the names of the properties that one of them changed. */
void print_changes(FILE *out) {
    fprintf(out, " %ld", looks);
    for (int i = 0; i < PROPERTIES; ++i)
        if (changes[i]) fprintf(out, " %s", names[i]);
}

/* 0: default, 1: rounding upward, 2: rounding toward zero, 3: subnormal results become zero. */
void compute(int mode) {
    fesetround(mode == 1 ? FE_UPWARD : mode == 2 ? FE_TOWARDZERO : FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (mode == 3 ? 0x8040u : 0u));
#endif
}

/* Prints the numbers of bytes in use on the heap, of resident bytes, of open files and of threads. */
void print_resources(FILE *out) {
    long pages = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm) {
        if (fscanf(statm, "%ld %ld", &pages, &resident) != 2) resident = -1;
        fclose(statm);
    }
    fprintf(out, " %ld %ld %lu %lu", bytes_in_use(), resident * sysconf(_SC_PAGESIZE),
            (unsigned long)entries("/proc/self/fd"), (unsigned long)entries("/proc/self/task"));
}

/* Makes and frees instances, each with an initialization and a state that is not freed. */
fmi2Status cycle(int fmu_type, const char *guid, const char *uri, size_t count) {
    fmi2CallbackFunctions functions = {0};
    for (size_t i = 0; i < count; ++i) {
        fmi2FMUstate state = NULL;
        fmi2Component c =
            fmu.Instantiate("cycle", (fmi2Type)fmu_type, guid, uri, &functions, fmi2False, fmi2False);
        if (!c) return fmi2Error;
        fmi2Status status = fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
        if (status == fmi2OK) status = fmu.EnterInitializationMode(c);
        if (status == fmi2OK && i % 4) status = fmu.ExitInitializationMode(c);
        if (status == fmi2OK) status = fmu.GetFMUstate(c, &state);
        fmu.FreeInstance(c);
        if (status != fmi2OK) return status;
    }
    return fmi2OK;
}

/* Resets an instance many times, each time after an initialization and a step. */
fmi2Status reset_again(fmi2Component c, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        fmi2Status status = fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
        if (status == fmi2OK) status = fmu.EnterInitializationMode(c);
        if (status == fmi2OK) status = fmu.ExitInitializationMode(c);
        if (status == fmi2OK) status = fmu.DoStep(c, 0.0, 1e-3, fmi2True);
        if (status == fmi2OK) status = fmu.Reset(c);
        if (status != fmi2OK) return status;
    }
    return fmi2OK;
}
