/* An FMU written by hand, x' = u - RATE x, whose habits are chosen by macros:
   LOGGING  what fmi2SetDebugLogging returns; after an error nothing else is allowed
   DEAD     a time when it moves infinitely fast, after which it has no derivatives
   END      a time after which no step is completed
   RANGE    a state beyond which derivatives are an error
   FALL     a time after which a step of Co-Simulation ends the process
   HANG     a time after which a step of Co-Simulation does not end
   CALLS    a time after which a step of Co-Simulation is an error
   LEAN     it lacks the functions of capabilities that it does not have
   REFUSE   the reference of a variable whose value it does not give
   SLOW     the time in s that it takes to make an instance
   CRASH    something of the library is called when the process exits, after it was unloaded
   It is written without the headers of the standard, which are not on every machine. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#ifdef SLOW
#include <unistd.h>
#endif

#ifndef LOGGING
#define LOGGING 0
#endif
#ifndef DEAD
#define DEAD 1e300
#endif
#ifndef RATE
#define RATE 0.0
#endif
#ifndef REFUSE
#define REFUSE 99
#endif
#ifndef RANGE
#define RANGE 1e300
#endif
#ifndef END
#define END 1e300
#endif
#ifndef FALL
#define FALL 1e300
#endif
#ifndef HANG
#define HANG 1e300
#endif
#ifndef CALLS
#define CALLS 1e300
#endif

typedef void (*logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct {
    logger log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks;
typedef struct {
    const callbacks *to;
    int broken, logging;
    double t, x, u;
} instance;
typedef struct {
    int needed, terminate, nominals, values, defined;
    double next;
} event_info;

#define OF(c) instance *i = c; if (i->broken) return 4

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

#ifdef CRASH
static void crash(int code, void *nothing) { (void)code, (void)nothing, abort(); }
#endif

void *fmi2Instantiate(const char *n, int k, const char *g, const char *r, const callbacks *to, int v, int on) {
    (void)n, (void)k, (void)g, (void)r, (void)v;
#ifdef CRASH
    on_exit(crash, NULL);
#endif
#ifdef SLOW
    sleep(SLOW);
#endif
    instance *i = calloc(1, sizeof *i);
    i->to = to;
    i->logging = on;
    return i;
}
void fmi2FreeInstance(void *c) { free(c); }
int fmi2SetDebugLogging(void *c, int on, size_t n, const char *const names[]) {
    (void)names;
    OF(c);
    i->logging = on && n > 0;
    i->broken = LOGGING == 3 || LOGGING == 4;
    return LOGGING;
}

int fmi2GetReal(void *c, const unsigned vr[], size_t n, double value[]) {
    OF(c);
    for (size_t k = 0; k < n; k++) if (vr[k] == REFUSE) return 3;
    for (size_t k = 0; k < n; k++) value[k] = vr[k] == 0 ? i->x : vr[k] == 1 ? i->u - RATE * i->x : vr[k] == 2 ? i->u : i->logging;
    return 0;
}
int fmi2SetReal(void *c, const unsigned vr[], size_t n, const double value[]) {
    OF(c);
    for (size_t k = 0; k < n; k++) if (vr[k] == 2) i->u = value[k];
    return 0;
}

static int until(const instance *i, double end) {
    if (i->t < end) return 0;
    i->to->log(i->to->environment, "one", 2, "logStatusDiscard", "the lever is at its end");
    return 2;
}
int fmi2SetTime(void *c, double t) { OF(c); i->t = t; return 0; }
int fmi2SetContinuousStates(void *c, const double x[], size_t n) { (void)n; OF(c); i->x = x[0]; return 0; }
int fmi2GetContinuousStates(void *c, double x[], size_t n) { (void)n; OF(c); x[0] = i->x; return 0; }
int fmi2GetNominalsOfContinuousStates(void *c, double x[], size_t n) { (void)c, (void)n; x[0] = 1.0; return 0; }
int fmi2GetDerivatives(void *c, double dx[], size_t n) {
    (void)n;
    OF(c);
    if (fabs(i->x) > RANGE) return 3;
    dx[0] = DEAD < 1e300 && i->t < DEAD ? 1.0 / sqrt(DEAD - i->t) : i->u - RATE * i->x;
    return until(i, DEAD);
}
int fmi2CompletedIntegratorStep(void *c, int keep, int *event, int *terminate) {
    (void)keep;
    OF(c);
    *event = *terminate = 0;
    return until(i, END);
}
int fmi2NewDiscreteStates(void *c, event_info *info) { OF(c); *info = (event_info){0}; return 0; }
int fmi2DoStep(void *c, double t, double h, int keep) {
    (void)keep;
    OF(c);
    if (t + h > FALL) abort();
    for (volatile int endless = t + h > HANG; endless;) continue;
    if (t + h > CALLS) return 3;
    i->t = t + h;
    i->x += h * i->u;
    return 0;
}

#define NOTHING(name) int name(void *c) { OF(c); return 0; }
NOTHING(fmi2SetupExperiment) NOTHING(fmi2EnterInitializationMode) NOTHING(fmi2ExitInitializationMode)
NOTHING(fmi2Terminate) NOTHING(fmi2Reset) NOTHING(fmi2EnterEventMode) NOTHING(fmi2EnterContinuousTimeMode)
NOTHING(fmi2GetInteger) NOTHING(fmi2SetInteger) NOTHING(fmi2GetBoolean) NOTHING(fmi2SetBoolean)
NOTHING(fmi2GetString) NOTHING(fmi2SetString) NOTHING(fmi2GetEventIndicators) NOTHING(fmi2CancelStep)
NOTHING(fmi2GetStatus) NOTHING(fmi2GetRealStatus) NOTHING(fmi2GetIntegerStatus)
NOTHING(fmi2GetBooleanStatus) NOTHING(fmi2GetStringStatus)
#ifndef LEAN
NOTHING(fmi2GetFMUstate) NOTHING(fmi2SetFMUstate) NOTHING(fmi2FreeFMUstate)
NOTHING(fmi2SerializedFMUstateSize) NOTHING(fmi2SerializeFMUstate) NOTHING(fmi2DeSerializeFMUstate)
NOTHING(fmi2GetDirectionalDerivative) NOTHING(fmi2SetRealInputDerivatives)
NOTHING(fmi2GetRealOutputDerivatives)
#endif
