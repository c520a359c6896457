/* An FMU written by hand, x' = 10 (u - x) and y = 2 x, that has one fault: the one which FAULT names. */
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
#include <unistd.h>

#include "fmi2Functions.h"

enum fault {
    NONE, PLATFORM, VERSION, ANY_GUID, START, SHARED, RESET, STATE, BYTES, DERIVATIVE, SEED, NOT_A_NUMBER, NOMINAL,
    CATEGORY, COMPLAINT, KICK, EVENT_IN_THE_PAST, ENDLESS_EVENT, ZERO_INDICATOR, REFUSAL, CRASH, EXIT,
    MANNERS
};

enum { X, DER_X, U, Y };

typedef struct {
    double t, x, u;
} values;

typedef struct {
    values now;
    const fmi2CallbackFunctions *callbacks;
    const char *name;
} instance;

static const values start = {0.0, FAULT == START ? 0.75 : 0.5, 1.0};
static values shared;

static values *of(fmi2Component c) {
    return FAULT == SHARED ? &shared : &((instance *)c)->now;
}

static double derivative(const values *v) {
    return 10.0 * (v->u - v->x);
}

static void say(fmi2Component c, fmi2Status status, const char *category) {
    const instance *i = c;
    i->callbacks->logger(i->callbacks->componentEnvironment, i->name, status, category, "%s", "something was said");
}

const char *fmi2GetTypesPlatform(void) { return FAULT == PLATFORM ? "standard32" : fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return FAULT == VERSION ? "1.0" : "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    (void)c, (void)on, (void)n, (void)categories;
    return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *callbacks,
                              fmi2Boolean visible, fmi2Boolean logging) {
    (void)type, (void)resources, (void)visible, (void)logging;
    if (strcmp(guid, "{faulty}") != 0 && FAULT != ANY_GUID) return NULL;
    instance *i = calloc(1, sizeof *i);
    i->callbacks = callbacks;
    i->name = name;
    *of(i) = start;
    return i;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean defined, fmi2Real tolerance, fmi2Real t, fmi2Boolean stops, fmi2Real stop) {
    (void)defined, (void)tolerance, (void)stops, (void)stop;
    of(c)->t = t;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { (void)c; return FAULT == REFUSAL ? fmi2Error : fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { (void)c; return fmi2OK; }

fmi2Status fmi2Reset(fmi2Component c) {
    double x = of(c)->x;
    *of(c) = start;
    if (FAULT == RESET) of(c)->x = x;
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    const values *v = of(c);
    for (size_t k = 0; k < n; k++) {
        switch (vr[k]) {
        case X: value[k] = v->x; break;
        case DER_X: value[k] = derivative(v); break;
        case U: value[k] = v->u; break;
        case Y: value[k] = FAULT == NOT_A_NUMBER ? NAN : 2.0 * v->x; break;
        default: return fmi2Error;
        }
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    for (size_t k = 0; k < n; k++) {
        if (vr[k] == X) of(c)->x = value[k];
        else if (vr[k] == U) of(c)->u = value[k];
        else return fmi2Error;
    }
    return fmi2OK;
}

#define ABSENT(name, type)                                                                                                              \
    fmi2Status fmi2##name(fmi2Component c, const fmi2ValueReference vr[], size_t n, type value[]) {                                     \
        (void)c, (void)vr, (void)value;                                                                                                 \
        return n == 0 ? fmi2OK : fmi2Error;                                                                                             \
    }
ABSENT(GetInteger, fmi2Integer)
ABSENT(GetBoolean, fmi2Boolean)
ABSENT(GetString, fmi2String)
ABSENT(SetInteger, const fmi2Integer)
ABSENT(SetBoolean, const fmi2Boolean)
ABSENT(SetString, const fmi2String)

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    if (*state == NULL) *state = malloc(sizeof(values));
    memcpy(*state, of(c), sizeof(values));
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    double x = of(c)->x;
    memcpy(of(c), state, sizeof(values));
    if (FAULT == STATE) of(c)->x = x;
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c, (void)state;
    *size = sizeof(values);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    (void)c;
    memcpy(bytes, state, size);
    if (FAULT == BYTES) memset(bytes + offsetof(values, x), 0, sizeof(double));
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    (void)c;
    *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns, const fmi2ValueReference knowns[],
                                        size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[]) {
    (void)c;
    for (size_t i = 0; i < n_unknowns; i++) {
        sensitivity[i] = 0.0;
        for (size_t k = 0; k < n_knowns; k++) {
            double d = 0.0;
            if (unknowns[i] == DER_X) d = knowns[k] == X ? -10.0 : 10.0;
            if (unknowns[i] == Y && knowns[k] == X) d = 2.0;
            if (FAULT == DERIVATIVE) d = -d;
            sensitivity[i] += d * (FAULT == SEED ? 1.0 : seed[k]);
        }
    }
    return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { (void)c; return fmi2OK; }

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    (void)c;
    *info = (fmi2EventInfo){0};
    info->newDiscreteStatesNeeded = FAULT == ENDLESS_EVENT;
    info->nextEventTimeDefined = FAULT == EVENT_IN_THE_PAST;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean prior, fmi2Boolean *event, fmi2Boolean *terminate) {
    (void)c, (void)prior;
    *event = *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) { of(c)->t = t; return fmi2OK; }

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
    if (n != 1) return fmi2Error;
    of(c)->x = x[0];
    return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
    if (n != 1) return fmi2Error;
    dx[0] = derivative(of(c));
    return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
    if (n != 1) return fmi2Error;
    z[0] = FAULT == ZERO_INDICATOR ? 0.0 : of(c)->x + 1.0;
    return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    if (n != 1) return fmi2Error;
    x[0] = of(c)->x;
    return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n) {
    (void)c;
    if (n != 1) return fmi2Error;
    nominal[0] = FAULT == NOMINAL ? 0.0 : 1.0;
    return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], const fmi2Real value[]) {
    (void)c, (void)vr, (void)n, (void)order, (void)value;
    return fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[], fmi2Real value[]) {
    (void)c, (void)vr, (void)n, (void)order, (void)value;
    return fmi2Error;
}

/* Changes all that belongs to the host. */
static fmi2Status rude(void) {
    int done = chdir("/") == 0 && open("/dev/null", O_RDONLY) >= 0 && setlocale(LC_ALL, "C.UTF-8") != NULL;
    done = done && setenv("FAULTY", "1", 1) == 0 && fesetround(FE_UPWARD) == 0 && printf("rude") > 0 && fflush(stdout) == 0;
    signal(SIGUSR1, SIG_IGN);
    umask(0077);
    return done ? fmi2OK : fmi2Error;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean prior) {
    (void)prior;
    values *v = of(c);
    if (FAULT == CRASH) raise(SIGSEGV);
    if (FAULT == EXIT) exit(0);
    if (FAULT == MANNERS) return rude();
    if (FAULT == CATEGORY) say(c, fmi2OK, "chatter");
    if (FAULT == COMPLAINT) say(c, fmi2Warning, "logAll");
    v->x = v->u + (v->x - v->u) * exp(-10.0 * h) + (FAULT == KICK ? 0.05 : 0.0);
    v->t = t + h;
    return fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component c) { (void)c; return fmi2Error; }

#define STATUS(name, type)                                                                                                              \
    fmi2Status fmi2##name(fmi2Component c, const fmi2StatusKind kind, type *value) {                                                    \
        (void)c, (void)kind, (void)value;                                                                                               \
        return fmi2Discard;                                                                                                             \
    }
STATUS(GetStatus, fmi2Status)
STATUS(GetRealStatus, fmi2Real)
STATUS(GetIntegerStatus, fmi2Integer)
STATUS(GetBooleanStatus, fmi2Boolean)
STATUS(GetStringStatus, fmi2String)
