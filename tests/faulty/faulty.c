/* An FMU written by hand, x' = 10 (u - x) and y = 2 x, with one fault or one legal habit, which FAULT names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fmi2Functions.h"

#define FAULTS(F) \
    F(NONE) F(PLATFORM) F(VERSION) F(ANY_GUID) F(START) F(SHARED) F(RESET) F(STATE) F(BYTES) F(DERIVATIVE) F(SEED) F(NOT_A_NUMBER) \
    F(NOMINAL) F(CATEGORY) F(COMPLAINT) F(KICK) F(EVENT_IN_THE_PAST) F(ENDLESS_EVENT) F(ZERO_INDICATOR) F(REFUSAL) F(CRASH) \
    F(EXIT) F(FOLDER) F(ROUNDING) F(PRINTS) F(WRITES) F(NULL_FREE) F(BLANK_NAME) F(SILENT_NULL) F(URI) F(NO_URI) F(LATE_RESOURCE) \
    F(KEPT_NAME) F(KEPT_CALLBACKS) F(OTHER_NAME) F(NO_ENVIRONMENT) F(ALLOCATES) F(LEAKS) F(ALWAYS_LOGS) F(LINE_BREAK) \
    F(SILENT_ERROR) F(CLOCK) F(NO_EMPTY_LIST) F(FIRST_ONLY) F(ANY_REFERENCE) F(SEVEN) F(NULL_TEXT) F(KEPT_TEXT) F(DISCARDED) \
    F(ITEM) F(UNSETTABLE) F(AFTER_END) F(NO_REFILL) F(ONCE_SET) F(NOT_NULLED) F(SIZE) F(EFFECTIVE) F(EARLY_STATE) \
    F(NO_INITIAL_DERIVATIVE) F(GHOST) F(UNWRITTEN_DERIVATIVE) F(INPUT_DERIVATIVE) F(INPUT_ORDER) F(OUTPUT_DERIVATIVE) F(OUTPUT_BEND) \
    F(OUTPUT_ORDER) F(BEND) F(ANY_LENGTH) F(FEWER_STATES) F(MORE_INDICATORS) F(OTHER_ORDER) F(ONLY_FORWARD) F(IMPURE) \
    F(INITIAL_STATES) F(NO_TERMINATE) F(NO_RESET) F(DISCARD) F(PENDING) F(SPURIOUS) F(UNFROZEN) F(EVENT_INFO) F(NEW_NOMINAL) \
    F(UNSAID_JUMP) F(ALWAYS_CHANGED) F(JUMP) F(DRIFT) F(STEP_EVENT) F(STEP_ANSWER) F(EXACT) F(MANNERS) F(FORK) F(HANG) \
    F(OTHER_ENVIRONMENT) F(DEAF) F(NO_STATUS) F(STRICT) F(SAMPLED) F(DIFFERENCES) F(THIRD) F(RESTART) F(SHORT_STEPS) F(ONLY_ONE) \
    F(NEAR_STATE) F(HEIR) F(STATE_STATUS) F(LATE_DISCARD) F(LOOK_AHEAD) F(RANDOM) F(DEAF_ONE) F(TENTHS) F(IMPORTERS_TIME) F(RANDOM_ONCE_SET) \
    F(CLOCKED) F(TIMED_STEPS) F(TIMED_END) F(UNCOMPUTABLE) F(NARROW)

#define AS_CONSTANT(name) name,
#define AS_TEXT(name) #name,
enum fault { FAULTS(AS_CONSTANT) };

#ifndef FAULT
/* A test selects a fault by writing its name into the library, in the place of the second word. */
static volatile char chosen[] = "fault: NONE                            ";
static enum fault fault;
#define FAULT fault

__attribute__((constructor)) static void choose(void) {
    static const char *const names[] = {FAULTS(AS_TEXT)};
    char name[sizeof chosen] = {0};
    for (size_t k = 0; chosen[k + 7] != ' '; k++) name[k] = chosen[k + 7];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0) fault = (enum fault)k;
    }
}
#endif

enum { X, DER_X, U, Y, TIME, P, CLOCK_TIME, REALS };

typedef struct {
    double t, x, u, p, accepted, reached, clock;
    int mode, initialized, over, events, dead, set, ticks;
} values;

typedef struct {
    values now;
    fmi2CallbackFunctions callbacks;
    const fmi2CallbackFunctions *given;
    char name[32];
    const char *given_name;
    char resources[512];
    int logging, looks, type;
    char text[32];
    const char *given_text;
    double slope;
} instance;

static const values start = {.x = 0.5, .u = 1.0, .p = 3.0, .accepted = 0.5};
static values shared;

static values *of(fmi2Component c) {
    return FAULT == SHARED ? &shared : &((instance *)c)->now;
}

static double derivative(const values *v) {
    return 10.0 * (v->u - v->x) + (FAULT == BEND ? v->x * v->x : 0.0);
}

/* The time of the machine in s. */
static double clock_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say(fmi2Component c, fmi2Status status, const char *category) {
    const instance *i = c;
    const fmi2CallbackFunctions *callbacks = FAULT == KEPT_CALLBACKS ? i->given : &i->callbacks;
    const char *name = FAULT == KEPT_NAME ? i->given_name : FAULT == OTHER_NAME ? "other" : i->name;
    if (!i->logging && status == fmi2OK && FAULT != ALWAYS_LOGS) return;
    void *environment = FAULT == NO_ENVIRONMENT ? NULL : FAULT == OTHER_ENVIRONMENT ? (void *)16 : callbacks->componentEnvironment;
    callbacks->logger(environment, name, status, category, "%s",
                      FAULT == LINE_BREAK ? "something was said\n" : "something was said");
}

/* Whether values cannot be computed: nowhere, or where a long step leads. */
static int is_uncomputable(const values *v) {
    return (FAULT == UNCOMPUTABLE && v->initialized == 2) || (FAULT == NARROW && v->x > 0.55 && v->t < 0.03);
}

static fmi2Status refuse(fmi2Component c) {
    of(c)->dead = 1;
    if (FAULT != SILENT_ERROR) say(c, fmi2Error, "logAll");
    return fmi2Error;
}

/* Whether a call is refused by an FMU that accepts only the calls in the table of the standard: after an error it accepts none, it returns
 * no value before Initialization Mode, only unknowns in it, and in Co-Simulation no value between a set and a step. */
static int is_forbidden(fmi2Component c, size_t n, int unknown) {
    const values *v = of(c);
    if (FAULT != STRICT || n == 0) return 0;
    return v->dead || v->initialized == 0 || (v->initialized == 1 && !unknown) || v->set;
}

/* Records that a value is set; returns whether that is refused, as for an input before Initialization Mode. */
static int is_early(fmi2Component c, int input) {
    values *v = of(c);
    v->set = v->initialized == 2 && ((instance *)c)->type == fmi2CoSimulation;
    return FAULT == STRICT && (v->dead || (input && v->initialized == 0));
}

const char *fmi2GetTypesPlatform(void) { return FAULT == PLATFORM ? "standard32" : fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return FAULT == VERSION ? "1.0" : "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    (void)n, (void)categories;
    if (FAULT == DEAF || FAULT == DEAF_ONE) return refuse(c);
    ((instance *)c)->logging = on;
    /* A value as a function without a return statement leaves it. */
    if (FAULT == NO_STATUS) return (fmi2Status)-2042;
    return fmi2OK;
}

static int is_blank(const char *name) { return name[strspn(name, " ")] == 0; }

/* The number of instances that were made, and the number of those that are not freed. */
static int made, living;

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *callbacks,
                              fmi2Boolean visible, fmi2Boolean logging) {
    (void)visible;
    if (FAULT == ONLY_ONE && made > 0) raise(SIGSEGV);
    if (FAULT == DEAF_ONE && living > 0) raise(SIGSEGV);
    if (resources == NULL) resources = "";
    int refused = strcmp(guid, "{faulty}") != 0 && FAULT != ANY_GUID;
    refused |= is_blank(name) && FAULT != BLANK_NAME;
    refused |= FAULT == URI && strchr(resources, '%') != NULL;
    refused |= FAULT == NO_URI && resources[0] == 0;
    if (refused) {
        if (FAULT != SILENT_NULL) callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logAll", "%s", "refused");
        return NULL;
    }
    made++, living++;
    instance *i = calloc(1, sizeof *i);
    i->callbacks = *(i->given = callbacks);
    strncpy(i->name, i->given_name = name, sizeof i->name - 1);
    strncpy(i->resources, resources, sizeof i->resources - 1);
    strcpy(i->text, "abc");
    i->given_text = i->text;
    i->logging = logging;
    i->type = type;
    if (FAULT == ALLOCATES || FAULT == LEAKS) {
        void *block = callbacks->allocateMemory(1, 8);
        if (FAULT == ALLOCATES) callbacks->freeMemory(block);
    }
    if (FAULT == FOLDER && chdir("/") != 0) abort();
    if (FAULT == ROUNDING) fesetround(FE_UPWARD);
    if (FAULT == PRINTS) puts("hello");
    *of(i) = start;
    if (FAULT == START) of(i)->x = 0.75;
    if (FAULT == THIRD) of(i)->p = 1.0 / 3.0;
    if (FAULT == TENTHS) of(i)->p = 0.1 + 0.2;
    return i;
}

void fmi2FreeInstance(fmi2Component c) {
    if (FAULT == NULL_FREE && c == NULL) raise(SIGSEGV);
    living -= c != NULL;
    free(c);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean defined, fmi2Real tolerance, fmi2Real t, fmi2Boolean stops, fmi2Real stop) {
    (void)defined, (void)tolerance, (void)stops, (void)stop;
    if (FAULT == STRICT && of(c)->dead) return refuse(c);
    of(c)->t = of(c)->reached = FAULT == CLOCK ? t + 1.0 : t;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    of(c)->initialized = 1;
    return fmi2OK;
}

static int has_resources(const instance *i) {
    char path[600];
    return access(strcat(strcpy(path, i->resources + strlen("file://")), "/data.txt"), R_OK) == 0;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    instance *i = c;
    of(c)->initialized = 2;
    if (FAULT == EXACT) of(c)->x = 0.25;
    if (FAULT == HEIR && made > 1) of(c)->x += 0.125;
    if (FAULT == REFUSAL) return refuse(c);
    if (FAULT == WRITES) {
        char path[600];
        FILE *file = fopen(strcat(strcpy(path, i->resources + strlen("file://")), "/result.txt"), "w");
        if (file) fclose(file);
    }
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    of(c)->over = 1;
    if (FAULT == TIMED_END) of(c)->clock = clock_time();
    return FAULT == NO_TERMINATE ? refuse(c) : fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) {
    double x = of(c)->x;
    if (FAULT == NO_RESET && of(c)->initialized == 1) return refuse(c);
    *of(c) = start;
    if (FAULT == THIRD) of(c)->p = 1.0 / 3.0;
    if (FAULT == TENTHS) of(c)->p = 0.1 + 0.2;
    if (FAULT == RESET) of(c)->x = x;
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    const values *v = of(c);
    if (FAULT == NO_EMPTY_LIST && n == 0) return refuse(c);
    for (size_t k = 0; k < n; k++) {
        if (is_forbidden(c, n, vr[k] == Y || vr[k] == DER_X || vr[k] == CLOCK_TIME)) return refuse(c);
        if (is_uncomputable(v)) return fmi2Discard;
        switch (FAULT == FIRST_ONLY ? vr[0] : vr[k]) {
        case X: value[k] = v->x; break;
        case DER_X: value[k] = derivative(v) + (FAULT == OTHER_ORDER); break;
        case U: value[k] = v->u; break;
        case Y: value[k] = FAULT == NOT_A_NUMBER ? NAN : (FAULT == AFTER_END && v->over) ? 0.0 : 2.0 * v->x; break;
        case TIME: value[k] = v->t; break;
        case CLOCK_TIME: value[k] = FAULT == CLOCKED ? clock_time() : v->clock; break;
        case P: value[k] = FAULT == DRIFT ? v->p + v->t : v->p; break;
        default:
            if (FAULT != ANY_REFERENCE) return refuse(c);
        }
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) {
        if (is_early(c, vr[k] == U)) return refuse(c);
        if (vr[k] == X) of(c)->x = value[k];
        else if (vr[k] == U && FAULT != UNSETTABLE) of(c)->u = value[k];
        else if (vr[k] == P) of(c)->p = value[k];
        else return refuse(c);
    }
    return fmi2OK;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != 0 || is_forbidden(c, n, 1)) return refuse(c);
        value[k] = FAULT == ITEM ? 9 : FAULT == UNFROZEN ? of(c)->t > 0.05 : of(c)->mode;
    }
    return FAULT == DISCARDED && n > 0 ? fmi2Discard : fmi2OK;
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != 0 || is_forbidden(c, n, 0)) return refuse(c);
        value[k] = FAULT == SEVEN ? 7 : fmi2True;
    }
    return fmi2OK;
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != 0 || is_forbidden(c, n, 0)) return refuse(c);
        value[k] = FAULT == NULL_TEXT ? NULL : ((instance *)c)->given_text;
    }
    return fmi2OK;
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String value[]) {
    instance *i = c;
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != 0 || is_early(c, 0)) return refuse(c);
        /* This fault does not read freed memory, but shows the value that it would read. */
        strncpy(i->text, FAULT == KEPT_TEXT ? "???" : value[k], sizeof i->text - 1);
    }
    return fmi2OK;
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer value[]) {
    (void)vr, (void)value;
    return n == 0 ? fmi2OK : refuse(c);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] != 0 || !value[k] || is_early(c, 0)) return refuse(c);
    }
    return fmi2OK;
}

#include "faulty_states.h"
#include "faulty_steps.h"
