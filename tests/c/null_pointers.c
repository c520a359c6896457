/* Unusual calls that a host may make: NULL instead of pointers, and calls on a small stack. */
#include <pthread.h>

#include "harness.h"

/* Returns the number of calls, each of which starts from the present state of the instance, and in
 * `refused` the number of those that returned fmi2Discard or fmi2Error. */
long null_pointers(fmi2Component c, long *refused) {
    long made = 0;
    fmi2Status status;
    fmi2FMUstate saved = NULL;
    if (c) CALL(status, fmu.GetFMUstate(c, &saved));
    *refused = 0;
#define REFUSES(call)                                          \
    do {                                                       \
        ++made;                                                \
        CALL(status, call);                                    \
        *refused += status == fmi2Discard || status == fmi2Error; \
        if (c) CALL(status, fmu.SetFMUstate(c, saved));        \
    } while (0)
    REFUSES(fmu.SetDebugLogging(c, fmi2True, 3, NULL));
    REFUSES(fmu.GetReal(c, NULL, 3, NULL));
    REFUSES(fmu.GetInteger(c, NULL, 3, NULL));
    REFUSES(fmu.GetBoolean(c, NULL, 3, NULL));
    REFUSES(fmu.GetString(c, NULL, 3, NULL));
    REFUSES(fmu.SetReal(c, NULL, 3, NULL));
    REFUSES(fmu.SetInteger(c, NULL, 3, NULL));
    REFUSES(fmu.SetBoolean(c, NULL, 3, NULL));
    REFUSES(fmu.SetString(c, NULL, 3, NULL));
    fmi2ValueReference vr[3] = {0, 0, 0};
    REFUSES(fmu.GetReal(c, vr, 3, NULL));
    REFUSES(fmu.SetReal(c, vr, 3, NULL));
    fmi2String strings[3] = {NULL, NULL, NULL};
    REFUSES(fmu.SetString(c, vr, 3, strings));
    REFUSES(fmu.SetDebugLogging(c, fmi2True, 3, strings));
    REFUSES(fmu.GetFMUstate(c, NULL));
    REFUSES(fmu.SetFMUstate(c, NULL));
    size_t size = 0;
    REFUSES(fmu.SerializedFMUstateSize(c, NULL, NULL));
    REFUSES(fmu.SerializedFMUstateSize(c, NULL, &size));
    REFUSES(fmu.SerializeFMUstate(c, NULL, NULL, 3));
    REFUSES(fmu.DeSerializeFMUstate(c, NULL, 3, NULL));
    REFUSES(fmu.GetDirectionalDerivative(c, NULL, 3, NULL, 3, NULL, NULL));
    REFUSES(fmu.NewDiscreteStates(c, NULL));
    REFUSES(fmu.CompletedIntegratorStep(c, fmi2True, NULL, NULL));
    REFUSES(fmu.SetContinuousStates(c, NULL, 3));
    REFUSES(fmu.GetDerivatives(c, NULL, 3));
    REFUSES(fmu.GetEventIndicators(c, NULL, 3));
    REFUSES(fmu.GetContinuousStates(c, NULL, 3));
    REFUSES(fmu.GetNominalsOfContinuousStates(c, NULL, 3));
    REFUSES(fmu.SetRealInputDerivatives(c, NULL, 3, NULL, NULL));
    REFUSES(fmu.GetRealOutputDerivatives(c, NULL, 3, NULL, NULL));
    REFUSES(fmu.CancelStep(c));
    REFUSES(fmu.GetStatus(c, fmi2DoStepStatus, NULL));
    REFUSES(fmu.GetRealStatus(c, fmi2LastSuccessfulTime, NULL));
    REFUSES(fmu.GetIntegerStatus(c, fmi2PendingStatus, NULL));
    REFUSES(fmu.GetBooleanStatus(c, fmi2Terminated, NULL));
    REFUSES(fmu.GetStringStatus(c, fmi2PendingStatus, NULL));
    CALL(status, fmu.FreeFMUstate(c, NULL));
    if (c) CALL(status, fmu.FreeFMUstate(c, &saved));
    return made;
}

struct life {
    int fmu_type;
    const char *guid, *uri;
    const fmi2ValueReference *vr;
    size_t n;
    fmi2Status worst;
};

static void *live(void *argument) {
    struct life *life = argument;
    fmi2CallbackFunctions functions = {0};
    double values[1], one = 1.0;
    fmi2EventInfo info;
    fmi2FMUstate state = NULL;
    fmi2Component c = fmu.Instantiate("small", (fmi2Type)life->fmu_type, life->guid, life->uri, &functions, 0, 0);
    life->worst = c ? fmi2OK : fmi2Fatal;
    if (!c) return NULL;
#define LIVES(call)                                      \
    do {                                                 \
        fmi2Status status_ = call;                       \
        if (status_ > life->worst) life->worst = status_; \
    } while (0)
    LIVES(fmu.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0));
    LIVES(fmu.EnterInitializationMode(c));
    LIVES(fmu.ExitInitializationMode(c));
    LIVES(fmu.GetFMUstate(c, &state));
    for (size_t i = 0; i < life->n; ++i) {
        LIVES(fmu.GetReal(c, life->vr + i, 1, values));
        fmu.GetDirectionalDerivative(c, life->vr + i, 1, life->vr, 1, &one, values);
    }
    if (life->fmu_type == fmi2CoSimulation)
        for (int i = 0; i < 10; ++i) LIVES(fmu.DoStep(c, 0.01 * i, 0.01, fmi2True));
    else
        LIVES(fmu.NewDiscreteStates(c, &info));
    LIVES(fmu.SetFMUstate(c, state));
    LIVES(fmu.Reset(c));
    fmu.FreeInstance(c);
    return NULL;
}

/* Runs the whole life of an instance in a thread with a stack of the given size in bytes; returns the worst status. */
fmi2Status life_on_a_stack(size_t bytes, int fmu_type, const char *guid, const char *uri,
                           const fmi2ValueReference *vr, size_t n) {
    struct life life = {.fmu_type = fmu_type, .guid = guid, .uri = uri, .vr = vr, .n = n, .worst = fmi2Fatal};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, bytes) == 0
        && pthread_create(&thread, &attributes, live, &life) == 0)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return life.worst;
}
